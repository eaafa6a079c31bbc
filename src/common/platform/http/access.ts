import { SetMetadata } from '@nestjs/common';

export const ACCESS = 'access';
export const SELF_HOSTED_ONLY = 'self-hosted-only';
export const CHANGES_STATE = 'changes-state';

export type DatasetRight = 'read' | 'write' | 'own';
export type WorkspaceRoleName = 'viewer' | 'editor' | 'admin';
/** A role includes the rights of all roles with a lower rank. */
export const WORKSPACE_RANK: Readonly<Record<WorkspaceRoleName, number>> = { viewer: 0, editor: 1, admin: 2 };
export type RealmRoleName = 'manage-users' | 'view-users';

/** Which callers may use a route. Every route declares exactly one rule; the program does not start otherwise. */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'session' }
  | { readonly kind: 'realm'; readonly role: RealmRoleName }
  | { readonly kind: 'workspace'; readonly role: WorkspaceRoleName }
  | { readonly kind: 'dataset'; readonly right: DatasetRight; readonly workspaceRole: WorkspaceRoleName };

const declare = (rule: AccessRule): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, rule);

export const Public = () => declare({ kind: 'public' });
/** Only with a browser's session cookie. Without sign-in there are no sessions, so every call is refused. */
export const SessionOnly = () => declare({ kind: 'session' });
/** Requires a realm role, if user management is enabled. */
export const RealmRole = (role: RealmRoleName) => declare({ kind: 'realm', role });
/** Requires at least this role in the caller's workspace. */
export const WorkspaceRole = (role: WorkspaceRoleName) => declare({ kind: 'workspace', role });
/** Requires the right on the dataset given by `dataset_id` in the path, and at least this role in the caller's workspace. */
export const DatasetAccess = (right: DatasetRight, workspaceRole: WorkspaceRoleName = 'viewer') =>
  declare({ kind: 'dataset', right, workspaceRole });
/** Marks administration routes that every caller is refused with RUN_MODE=CLOUD, in addition to the route's access rule. */
export const SelfHostedOnly = (): MethodDecorator & ClassDecorator => SetMetadata(SELF_HOSTED_ONLY, true);
/** Marks a GET that changes state, so that browsers may only call it from pages of this service; `false` marks a POST that only reads. */
export const ChangesState = (changes = true): MethodDecorator & ClassDecorator => SetMetadata(CHANGES_STATE, changes);
