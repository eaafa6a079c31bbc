export type Theme = 'system' | 'light' | 'dark';

const KEY = 'dms.theme';

export function readTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') {
    localStorage.removeItem(KEY);
    delete dataset['theme'];
  } else {
    localStorage.setItem(KEY, theme);
    dataset['theme'] = theme;
  }
}
