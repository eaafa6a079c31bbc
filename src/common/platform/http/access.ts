import { SetMetadata } from '@nestjs/common';

export const ACCESS = 'access';
export const SELF_HOSTED_ONLY = 'self-hosted-only';
export const CHANGES_STATE = 'changes-state';

export type DatasetRight = 'read' | 'write' | 'own';
export type WorkspaceRoleName = 'viewer' | 'editor' | 'admin';
/** Who may more has the higher number. */
export const WORKSPACE_RANK: Readonly<Record<WorkspaceRoleName, number>> = { viewer: 0, editor: 1, admin: 2 };
export type RealmRoleName = 'manage-users' | 'view-users';

/** Who may ask a route. Every route declares exactly one; the program does not start otherwise. */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'session' }
  | { readonly kind: 'realm'; readonly role: RealmRoleName }
  | { readonly kind: 'workspace'; readonly role: WorkspaceRoleName }
  | { readonly kind: 'dataset'; readonly right: DatasetRight; readonly workspaceRole: WorkspaceRoleName };

const declare = (rule: AccessRule): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, rule);

export const Public = () => declare({ kind: 'public' });
/** Asked from a browser, by its session cookie; where nobody signs in there is none, and nobody may. */
export const SessionOnly = () => declare({ kind: 'session' });
/** A realm role, where user management is on. */
export const RealmRole = (role: RealmRoleName) => declare({ kind: 'realm', role });
/** At least this role in the caller's workspace. */
export const WorkspaceRole = (role: WorkspaceRoleName) => declare({ kind: 'workspace', role });
/** The right on the dataset named by the path's `dataset_id`, and at least this role in the caller's workspace. */
export const DatasetAccess = (right: DatasetRight, workspaceRole: WorkspaceRoleName = 'viewer') =>
  declare({ kind: 'dataset', right, workspaceRole });
/** Administration: refused by a service that runs in the cloud, whoever asks. Beside the access of the route. */
export const SelfHostedOnly = (): MethodDecorator & ClassDecorator => SetMetadata(SELF_HOSTED_ONLY, true);
/** A GET that changes something: a browser may ask it from this service's own pages only. `false` is for a POST that only reads. */
export const ChangesState = (changes = true): MethodDecorator & ClassDecorator => SetMetadata(CHANGES_STATE, changes);
