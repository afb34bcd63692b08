/** Runs secretlint, whose formats our search follows, in its usual configuration. */
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

const config = {
  rules: [
    {
      id: '@secretlint/secretlint-rule-preset-recommend',
      rule: creator,
      rules: [{ id: '@secretlint/secretlint-rule-aws', options: { enableIDScanRule: true } }],
    },
  ],
};

/** The names of the rules that find something, sorted and without duplicates. */
export async function findWithLibrary(text: string, fileName = 'text.txt'): Promise<string[]> {
  const { messages } = await lintSource({
    source: {
      content: text,
      filePath: `/nowhere/${fileName}`,
      ext: /\.\w+$/.exec(fileName)?.[0] ?? '',
      contentType: 'text',
    },
    options: { config, noPhysicFilePath: true },
  });
  return [...new Set(messages.map(({ ruleId }) => ruleId.replace(/^.*secretlint-rule-/, '')))].toSorted();
}
