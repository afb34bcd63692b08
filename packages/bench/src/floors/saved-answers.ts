/** The floor of reads: saved responses with their headers, served from memory by their index. */
import { readFileSync } from 'node:fs';
import type { SavedAnswer } from '../harness/saved-answers.ts';
import { serve } from './serve.ts';

const [listFile = ''] = process.argv.slice(2);
const list = JSON.parse(readFileSync(listFile, 'utf8')) as SavedAnswer[];
const answers = new Map(
  list.map(({ headers, bodyFile }, index) => [`/${index}`, { headers, body: readFileSync(bodyFile) }]),
);

serve((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (!answer) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, answer.headers);
  response.end(answer.body);
});
