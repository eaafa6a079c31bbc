import { SetMetadata } from '@nestjs/common';

export const ACCESS = 'access';

export type DatasetRight = 'read' | 'write' | 'own';
export type WorkspaceRoleName = 'viewer' | 'editor' | 'admin';
export type RealmRoleName = 'manage-users' | 'view-users';

/** Who may ask a route. Every route declares exactly one; the program does not start otherwise. */
export type AccessRule =
  | { readonly kind: 'public' }
  | { readonly kind: 'realm'; readonly role: RealmRoleName }
  | { readonly kind: 'workspace'; readonly role: WorkspaceRoleName }
  | { readonly kind: 'dataset'; readonly right: DatasetRight };

const declare = (rule: AccessRule): MethodDecorator & ClassDecorator => SetMetadata(ACCESS, rule);

export const Public = () => declare({ kind: 'public' });
export const RealmRole = (role: RealmRoleName) => declare({ kind: 'realm', role });
/** At least this role in the caller's workspace. */
export const WorkspaceRole = (role: WorkspaceRoleName) => declare({ kind: 'workspace', role });
/** The right on the dataset named by the path's `dataset_id`. */
export const DatasetAccess = (right: DatasetRight) => declare({ kind: 'dataset', right });
