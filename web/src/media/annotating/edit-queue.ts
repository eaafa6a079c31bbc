import { ApiError, UnauthenticatedError } from 'dataset-media-service-sdk';
import { answered, isOutage, queries, service } from '../../api/client';
import { connection } from '../../api/connection-state';
import { keys } from '../../api/keys';
import { newId, type Annotation, type Edit } from './edit';
import { listAgain, send, type Outcome } from './edit-sender';
import { afterRedo, afterUndo, MOST_STEPS, NO_STEPS, withoutSteps, withStep, type Steps } from './edit-steps';
import {
  afterFirst,
  MOST_UNSENT,
  overwriting,
  withEdit,
  withoutFirst,
  type Made,
  type Unsent,
  type UnsentEdit,
} from './unsent-edits';
import { UnsentStorage } from './unsent-storage';

export interface Conflict {
  readonly edit: UnsentEdit;
  readonly id: string;
  readonly current: Annotation | null;
}

export interface QueueState {
  readonly unsent: Unsent;
  /** Of one dataset at a time. */
  readonly steps: Steps<UnsentEdit>;
  /** What the first edit waits for; it is being sent if there is nothing. */
  readonly hindrance:
    | null
    | { readonly kind: 'away' }
    | { readonly kind: 'later' | 'refused'; readonly reason: string }
    | { readonly kind: 'conflict'; readonly conflict: Conflict };
}

export class NoRoomError extends Error {}

/** The edits of this page, which are sent one after the other in the order in which they were made. */
class EditQueue {
  private state: QueueState = { unsent: [], steps: NO_STEPS, hindrance: null };
  private readonly listeners = new Set<() => void>();
  private readonly made = new Map<string, Made>();
  private storage: UnsentStorage | undefined;
  /** Who edits in this page. */
  private person: string | undefined;
  private isSending = false;

  constructor() {
    void this.begin();
    connection.onReturn(() => void this.begin());
  }

  /** Edits are sent as those of the person who made them: what somebody else left in this browser stays there. */
  private async begin(): Promise<void> {
    const me = await answered(service.api.GET('/api/v1/me')).catch((error: unknown) => {
      if (!isOutage(error) && !(error instanceof UnauthenticatedError)) throw error;
    });
    // The next return begins again.
    if (me === undefined) return;
    if (this.person !== undefined && this.person !== me.user_id) window.location.reload();
    else {
      this.person = me.user_id;
      if (this.storage === undefined) {
        this.storage = new UnsentStorage(me.user_id, this.adopt);
        this.storage.save(this.state.unsent);
      }
      await this.sendAll();
    }
  }

  private readonly adopt = (edits: Unsent): void => {
    const known = new Set(this.state.unsent.map(({ key }) => key));
    this.change([...this.state.unsent, ...edits.filter(({ key }) => !known.has(key))]);
    void this.sendAll();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly read = (): QueueState => this.state;

  /** Sends it when its turn comes, also after this page was closed and opened again. Throws `NoRoomError`. */
  add(edit: Edit): void {
    const step = this.append({ ...edit, key: newId(), undoes: null });
    const { steps } = this.state;
    const isSame = steps.done.at(-1)?.datasetId === edit.datasetId;
    this.show({ ...this.state, steps: withStep(isSame ? steps : NO_STEPS, step) });
  }

  /** The edit that was taken back, if there is one. */
  undo(): Edit | undefined {
    const { steps } = this.state;
    const last = steps.done.at(-1);
    if (last !== undefined) this.takeBack(last, (step) => afterUndo(steps, step));
    return last;
  }

  redo(): Edit | undefined {
    const { steps } = this.state;
    const last = steps.undone.at(-1);
    if (last !== undefined) this.takeBack(last, (step) => afterRedo(steps, step));
    return last;
  }

  private takeBack({ key, changes, ...edit }: UnsentEdit, stepsWith: (step: UnsentEdit) => Steps<UnsentEdit>): void {
    const { changeId = null, versionOf } = this.made.get(key) ?? {};
    const reversed = changes.map(({ id, before, after }) => ({
      ...{ id, before: after, after: before, seen: versionOf?.(id) ?? null },
    }));
    const step = this.append({ ...edit, changes: reversed, key: newId(), undoes: { key, changeId } });
    this.show({ ...this.state, steps: stepsWith(step) });
  }

  /** Sends the edit that is in conflict once more, or gives it up with later ones of the same annotation. */
  async resolve({ edit, id, current }: Conflict, keep: 'mine' | 'theirs'): Promise<void> {
    if (keep === 'mine') this.change(overwriting(this.state.unsent, id, current));
    else await this.giveUp(edit);
    await this.sendAll();
  }

  /** Gives up the first edit. */
  async discard(): Promise<void> {
    const [first] = this.state.unsent;
    if (first === undefined) return;
    await this.giveUp(first);
    await this.sendAll();
  }

  readonly sendAll = async (): Promise<void> => {
    if (this.isSending) return;
    this.isSending = true;
    try {
      for (;;) {
        const [first] = this.state.unsent;
        if (first === undefined) break;
        this.change(this.state.unsent);
        if (!this.take(first, await send(first))) break;
      }
    } finally {
      this.isSending = false;
    }
  };

  private append(edit: UnsentEdit): UnsentEdit {
    if (this.state.unsent.length >= MOST_UNSENT) throw new NoRoomError();
    const unsent = withEdit(this.state.unsent, edit);
    try {
      this.storage?.save(unsent);
    } catch {
      throw new NoRoomError();
    }
    this.show({ ...this.state, unsent });
    if (this.state.hindrance === null) void this.sendAll();
    return edit;
  }

  /** Whether the next edit can be sent. */
  private take(edit: UnsentEdit, outcome: Outcome): boolean {
    if (this.state.unsent[0]?.key !== edit.key) return true;
    if (outcome.kind === 'made') {
      this.remember(edit, outcome.made);
      this.change(afterFirst(this.state.unsent, outcome.made));
      if (this.state.unsent.length === 0) refresh(edit);
      return true;
    }
    if (outcome.kind === 'conflict') {
      const { id, current } = outcome;
      this.show({ ...this.state, hindrance: { kind: 'conflict', conflict: { edit, id, current } } });
    } else if (outcome.kind === 'away') this.show({ ...this.state, hindrance: { kind: 'away' } });
    else this.show({ ...this.state, hindrance: { kind: outcome.kind, reason: outcome.reason } });
    if (outcome.kind === 'later') setTimeout(() => void this.sendAll(), outcome.afterMs);
    return false;
  }

  /** For undoing it; lists of whole pictures are let go. */
  private remember({ key, changes }: UnsentEdit, { changeId, versionOf }: Made): void {
    const versions = new Map(changes.map(({ id }) => [id, versionOf(id)]));
    this.made.set(key, { changeId, versionOf: (id) => versions.get(id) ?? null });
    const [oldest] = this.made.keys();
    if (oldest !== undefined && this.made.size > 2 * MOST_STEPS) this.made.delete(oldest);
  }

  private async giveUp(edit: UnsentEdit): Promise<void> {
    this.change(withoutFirst(this.state.unsent));
    this.show({ ...this.state, steps: withoutSteps(this.state.steps, edit) });
    // What is stored is shown instead; that may be away, too.
    await listAgain(edit).catch((error: unknown) => {
      if (!(error instanceof ApiError)) return;
      void queries.invalidateQueries({ queryKey: keys.of(edit.datasetId, 'media') });
    });
  }

  /** Other edits than before, of which the first can be sent. */
  private change(unsent: Unsent): void {
    this.storage?.save(unsent);
    this.show({ ...this.state, unsent, hindrance: null });
  }

  private show(state: QueueState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/** Other parts of the page follow: what is on it now soon, the rest when it is shown. */
function refresh({ datasetId, mediaId }: Edit): void {
  void queries.invalidateQueries({ queryKey: keys.dataset(datasetId), refetchType: 'none' });
  void queries.invalidateQueries({ queryKey: keys.of(datasetId, 'media', mediaId) });
  void queries.invalidateQueries({ queryKey: keys.of(datasetId, 'annotation_sources') });
}

export const editQueue = new EditQueue();
