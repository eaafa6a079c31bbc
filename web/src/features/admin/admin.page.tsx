import { NavLink, Navigate, Route, Routes } from 'react-router';
import { useAccess } from '../../api/access';
import { Failure } from '../../api/failure';
import { PageHeader } from '../../design/page-header';
import { EmptyState } from '../../design/state';
import { texts } from '../../texts';
import { AuditSection } from './audit-section';
import { MembersSection } from './members-section';
import { SettingsSection } from './settings-section';
import { UsersSection } from './users-section';
import styles from './admin.module.css';

const { admin: words } = texts;
const SECTIONS = [
  ['members', MembersSection],
  ['users', UsersSection],
  ['settings', SettingsSection],
  ['audit', AuditSection],
] as const;

export function AdminPage() {
  const { data: access, error, refetch } = useAccess();
  return (
    <>
      <PageHeader title={words.title} />
      {error !== null && access === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {access?.can_manage === false && <EmptyState icon="alert" {...words.forbidden} />}
      {access?.can_manage === true && (
        <div className={styles.page}>
          <nav className={styles.sections} aria-label={words.sections.label}>
            {SECTIONS.map(([path]) => (
              <NavLink key={path} to={`/admin/${path}`} className={styles.section}>
                {words.sections[path]}
              </NavLink>
            ))}
          </nav>
          <Routes>
            <Route index element={<Navigate to={SECTIONS[0][0]} replace />} />
            {SECTIONS.map(([path, Section]) => (
              <Route key={path} path={path} element={<Section />} />
            ))}
            <Route path="*" element={<Navigate to="/admin" replace />} />
          </Routes>
        </div>
      )}
    </>
  );
}
