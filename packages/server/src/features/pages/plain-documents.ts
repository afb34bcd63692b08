/**
 * Documents that answer where the pages' own files do not: under every host name. They are self-contained, and never
 * name the host of the request.
 */
import type { FastifyReply } from 'fastify';
import { html, type Html } from './html.ts';

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The address by which password managers find the page for changing the password. It must not redirect, so the document
 * has a link.
 */
export function changePasswordDocument(reply: FastifyReply, appBaseUrl: string): FastifyReply {
  const address = `${appBaseUrl}/settings#password`;
  return sendPlain(
    reply,
    'Change your password',
    html`<p><a href="${address}">Go to the password in your settings</a></p>`,
  );
}

export function unknownHostDocument(reply: FastifyReply): FastifyReply {
  return sendPlain(
    reply.code(403),
    'Unknown host name',
    html`<p>
        This service does not answer under the host name in your address bar. Ask its operator for the
        address.
      </p>
      <p>
        Are you the operator? Add the name to <code>ALLOWED_HOSTS</code>. If it is the main address of the
        service, set <code>APP_BASE_URL</code> to it. Then restart the service.
      </p>`,
  );
}

function sendPlain(reply: FastifyReply, title: string, content: Html): FastifyReply {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
  return reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(document.text);
}
