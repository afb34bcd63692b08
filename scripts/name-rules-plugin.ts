// The linter's side of name-rules.ts: reports every use of a name, as a variable, a property or a property's text.
import path from 'node:path';
import { literalText, type Context, type Node } from './import-rules-plugin.ts';
import { matches } from './import-rules.ts';
import { nameRules } from './name-rules.ts';

const allowed = {
  meta: { type: 'problem', docs: { description: 'Names follow the table in scripts/name-rules.ts' } },
  create(context: Context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const isFile = (globs: readonly string[]) => globs.some((glob) => matches(glob, file));
    const rules = nameRules.filter((rule) => isFile(rule.files) && !isFile(rule.except));

    function check(node: Node, name: string | undefined) {
      for (const { id, because, names } of rules)
        if (name !== undefined && names.includes(name))
          context.report({ node, message: `[${id}] ${because}.` });
    }

    const checkText = (node: Node) => check(node, literalText(node));
    return {
      Identifier: (node: Node & { name: string }) => check(node, node.name),
      Literal: checkText,
      TemplateLiteral: checkText,
    };
  },
};

export default { meta: { name: 'names' }, rules: { allowed } };
