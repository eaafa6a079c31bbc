import { normalForm, trimEndOf } from '../../../common/platform/text/texts';
import { classifyFileName } from '../../tables';
import { faultOfPath } from '../sources/domain/safe-relative-path';
import { refusedMember, type ArchiveMember } from '../../../common/platform/archives/archive-member';

/**
 * The path to store an archive member under; undefined for unsupported files. An unsafe name fails the
 * whole archive, because it is probably malicious.
 */
export function memberPath({ name, isFolder }: Pick<ArchiveMember, 'name' | 'isFolder'>): string | undefined {
  const relative = trimEndOf(name.replace(/^(?:\.\/+)+/, ''), '/');
  // The root folder, as in archives of `tar -c .`.
  if (isFolder && (relative === '' || relative === '.')) return undefined;
  const fault = faultOfPath(relative);
  if (fault !== undefined) throw refusedMember(name, fault);
  const path = normalForm(relative, 'NFC');
  const parts = path.split('/');
  if (isFolder || parts.includes('__MACOSX') || parts.some((part) => part.startsWith('.'))) return undefined;
  return classifyFileName(path) === 'unsupported' ? undefined : path;
}
