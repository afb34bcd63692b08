/**
 * The entry of share pages, for external viewers: no links into the product except to sign in or sign up, and nothing
 * of the owner except what the share shows.
 */
import 'virtual:tokens.css';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { setRenderPace } from './lib/render-pace.ts';
import { SharedPage } from './pages/shared.tsx';
import { keepFocus } from './ui/kept-focus.ts';

setRenderPace();
keepFocus();
const place = document.getElementById('root');
if (!place) throw new Error('The document has no element #root for the page.');
const [, , slug = ''] = location.pathname.split('/');
createRoot(place).render(<SharedPage slug={decodeURIComponent(slug)} />);
