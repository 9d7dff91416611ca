import type { Call } from './expression.ts';
import type { KnownMethod } from './members.ts';
import type { Report } from './report.ts';
import { type RuleType, STRINGS } from './rule-type.ts';

/** Reports arguments that a method does not take. `types` are those of the arguments. */
export function checkArguments(
  name: string,
  { parameters }: KnownMethod,
  { args, span }: Call,
  types: readonly RuleType[],
  report: Report,
): void {
  const [first = 'unknown'] = types;
  const place = (args[0]?.span ?? span).start;
  switch (parameters) {
    case 'none':
      if (types.length > 0) report(place, `${name}() expects no arguments.`);
      return;
    case 'string':
      if (types.length !== 1) report(span.start, `${name}() expects 1 argument.`);
      else if (!STRINGS.has(first)) report(place, `${name}() expects a string argument.`);
      return;
    case 'two-strings':
      if (types.length !== 2) report(span.start, `${name}() expects two arguments.`);
      else
        args.forEach((argument, i) => {
          if (!STRINGS.has(types[i] ?? 'unknown'))
            report(argument.span.start, `Argument ${i + 1} of ${name}() must be a string.`);
        });
      return;
    case 'regular-expression':
      if (types.length !== 1) report(span.start, `${name}() expects 1 regular expression literal argument.`);
      else if (args[0]?.kind !== 'regular-expression')
        report(place, `${name}() expects a regular expression literal argument.`);
      return;
    case 'children':
      if (types.length > 1)
        report(span.start, `${name}() expects only a single argument (containing an array of child names).`);
      else if (first !== 'array' && first !== 'unknown')
        report(place, `${name}() expects an array of child names.`);
      return;
    default:
      parameters satisfies never;
  }
}
