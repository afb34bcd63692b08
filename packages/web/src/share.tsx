/** The page of a link, for people outside: no way into the product, and nothing of its owner but what the link shows. */
import 'virtual:tokens.css';
import './styles.css';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SharedPage } from './pages/shared.tsx';
import { keepFocus } from './ui/kept-focus.ts';

keepFocus();
const place = document.getElementById('root');
if (!place) throw new Error('The document has no place for the page.');
const [, , slug = ''] = location.pathname.split('/');
const root = createRoot(place);
// Bit by bit, so that a slow phone stays quick to the touch meanwhile.
startTransition(() =>
  root.render(
    <StrictMode>
      <SharedPage slug={decodeURIComponent(slug)} />
    </StrictMode>,
  ),
);
