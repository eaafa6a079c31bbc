import { createRoot } from 'react-dom/client';
import './design/tokens.css';
import './design/base.css';
import { App } from './app/app';
import { applyTheme, readTheme } from './app/theme';

applyTheme(readTheme());
createRoot(document.getElementById('root')!).render(<App />);
