/** The entry of all pages except share pages. */
import 'virtual:tokens.css';
import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { createQueries } from './app/query-client.ts';
import { createPagesRouter } from './app/router.tsx';
import { setRenderPace } from './lib/render-pace.ts';
import { keepFocus } from './ui/kept-focus.ts';
import { nextTask } from './ui/next-task.ts';

setRenderPace();
keepFocus();
const queries = createQueries();
const router = createPagesRouter(queries);

const place = document.getElementById('root');
if (!place) throw new Error('The document has no element #root for the page.');
await nextTask();
createRoot(place).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
