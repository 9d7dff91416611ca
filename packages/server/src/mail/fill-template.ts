import { MAIL_VARIABLES, type MailVariable } from './mail-occasion.ts';

export type MailValues = Readonly<Partial<Record<MailVariable, string>>>;

const VARIABLE = new RegExp(`%(${MAIL_VARIABLES.join('|')})%`, 'g');

/** A template with the variables that have values replaced, once: a value may look like a variable. */
export function fillTemplate(template: string, values: MailValues): string {
  return template.replace(VARIABLE, (name) => values[name.slice(1, -1) as MailVariable] ?? name);
}
