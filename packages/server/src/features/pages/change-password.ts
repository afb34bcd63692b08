/**
 * The well-known address by which password managers find the page for changing the password. It answers on every host
 * name, without a redirect and without the files of the pages, so the document is self-contained and has a link.
 */
import type { FastifyReply } from 'fastify';
import { html } from './html.ts';

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function changePasswordDocument(reply: FastifyReply, appBaseUrl: string): FastifyReply {
  const address = `${appBaseUrl}/settings#password`;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Change your password</title>
      </head>
      <body>
        <main>
          <h1>Change your password</h1>
          <p><a href="${address}">Go to the password in your settings</a></p>
        </main>
      </body>
    </html>`;
  return reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(document.text);
}
