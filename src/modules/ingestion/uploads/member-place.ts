import { normalForm } from '../../../common/platform/text/normal-form';
import { trimEndOf } from '../../../common/platform/text/trim-character';
import { classifyFileName } from '../sources/domain/media-formats';
import { faultOfPath } from '../sources/domain/safe-relative-path';
import { refusedMember } from '../../../common/platform/archives/read/archive-errors';
import type { ArchiveMember } from '../../../common/platform/archives/read/archive-member';

/**
 * The path under which a member is kept, or undefined for what is no media. A name that could lead elsewhere ends the
 * whole archive: whoever made it meant no good.
 */
export function memberPath({ name, isFolder }: Pick<ArchiveMember, 'name' | 'isFolder'>): string | undefined {
  const relative = trimEndOf(name.replace(/^(?:\.\/+)+/, ''), '/');
  // The archive's own top, as `tar -c .` writes it.
  if (isFolder && (relative === '' || relative === '.')) return undefined;
  const fault = faultOfPath(relative);
  if (fault !== undefined) throw refusedMember(name, fault);
  const path = normalForm(relative, 'NFC');
  const parts = path.split('/');
  if (isFolder || parts.includes('__MACOSX') || parts.some((part) => part.startsWith('.'))) return undefined;
  return classifyFileName(path) === 'unsupported' ? undefined : path;
}
