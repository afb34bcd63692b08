/** The person of the demo: an account of the service, and what they do in their browser. */
import { randomBytes } from 'node:crypto';
import { createClient, type Client } from '@svc/client';
import { done } from './done.ts';

export class Person {
  readonly email = 'you@example.test';
  readonly password = randomBytes(8).toString('hex');
  readonly #url: string;
  #cookie = '';

  private constructor(url: string) {
    this.#url = url;
  }

  static async signUp(url: string): Promise<Person> {
    const person = new Person(url);
    const { email, password } = person;
    const response = await fetch(`${url}/api/v1/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email, password }),
    });
    if (!response.ok) throw new Error(`The account was not created: ${await response.text()}`);
    person.#cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return person;
  }

  /** The value of the Cookie header. */
  get cookie(): string {
    return this.#cookie;
  }

  get #api(): Client {
    return createClient({ baseUrl: this.#url, headers: { cookie: this.#cookie, origin: this.#url } });
  }

  /** Checks that the page shows the code of the terminal, and only then approves. */
  async approve(linkId: string, matchCode: string): Promise<void> {
    const link = done(await this.#api.getDeviceLink({ params: { id: linkId } }));
    if (link.matchCode !== matchCode) throw new Error('The page shows another code than the terminal.');
    done(await this.#api.approveDeviceLink({ params: { id: linkId } }));
    console.error(`(you compare ${matchCode} with the page, and approve)`);
  }

  /** The URL of the newest report. Checks that it is final, contains findings, and can be read on its page. */
  async newestReport(): Promise<string> {
    const newest = done(await this.#api.listReports({})).reports.at(-1);
    if (!newest) throw new Error('There is no report.');
    const { state, report, reportUrl } = done(await this.#api.getReport({ params: { id: newest.reportId } }));
    const [finding] = report?.findings ?? [];
    if (state !== 'finalized' || !finding) throw new Error('The report is not final, or is empty.');
    const page = await fetch(reportUrl, { headers: { cookie: this.#cookie } });
    if (page.status !== 200) throw new Error('The report page cannot be opened.');
    return reportUrl;
  }

  /**
   * Creates a share of the newest report that anyone can open. It hides names and code. Opens the share once to check
   * that it works.
   */
  async share(): Promise<string> {
    const newest = done(await this.#api.listReports({})).reports.at(-1);
    if (!newest) throw new Error('There is no report.');
    const { url } = done(
      await this.#api.createShare({
        params: { id: newest.reportId },
        body: {
          anonymousAllowed: true,
          label: 'From the demo',
          defaultPolicy: {
            version: 1,
            sections: { mode: 'allow_all' },
            findings: { mode: 'allow_all' },
            fields: { evidence: true, remediation: true, metadata: true },
            anonymize: true,
          },
        },
      }),
    );
    if ((await fetch(url)).status !== 200) throw new Error('The page of the share cannot be opened.');
    const stranger = createClient({ baseUrl: this.#url });
    const slug = new URL(url).pathname.split('/').at(-1) ?? '';
    const seen = JSON.stringify(done(await stranger.readShare({ params: { slug } })));
    if (!seen.includes('Anonymous') || seen.includes('"code":'))
      throw new Error('The share link does not show what it should.');
    return url;
  }
}
