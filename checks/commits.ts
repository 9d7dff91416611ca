/** Maximum length of a commit's subject, in characters. */
const MAX_SUBJECT = 72;

/** First words that show that a sentence is not imperative: articles, pronouns, participles, past forms. */
const NOT_IMPERATIVE =
  /^(a|an|the|all|one|no|what|whoever|who|some|any|each|every|it|this|that|these|there|is|are|was|were|has|have|had|\w+ing|\w+ed)$/;

/** Verbs that end like a participle. */
const IMPERATIVE = new Set(['bring', 'embed', 'exceed', 'feed', 'need', 'ping', 'seed', 'speed', 'string']);

/** Returns the problems of a commit's subject, which must be `area: imperative sentence`. */
export function checkSubject(subject: string): readonly string[] {
  const problems: string[] = [];
  if ([...subject].length > MAX_SUBJECT) problems.push(`is longer than ${MAX_SUBJECT} characters`);
  const [, firstWord] = /^[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)*: (\S+)/.exec(subject) ?? [];
  if (firstWord === undefined) problems.push('does not begin with an area: "storage: …"');
  else if (firstWord !== firstWord.toLowerCase()) problems.push('continues with a capital letter');
  else if (NOT_IMPERATIVE.test(firstWord) && !IMPERATIVE.has(firstWord))
    problems.push(`does not say what to do: "${firstWord}"`);
  if (subject.endsWith('.')) problems.push('ends with a full stop');
  return problems.map((problem) => `"${subject}" ${problem}`);
}
