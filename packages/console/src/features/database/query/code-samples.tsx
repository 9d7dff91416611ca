import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import CodeIcon from '@mui/icons-material/Code';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-and-save.tsx';
import { printExact } from '../model/leaf-value.ts';
import { keysOf, type NodePath } from '../model/node-path.ts';
import { type NodeQuery, parseBound } from './node-query.ts';

/** Languages of the code samples. */
const CODE_LANGUAGES = ['js', 'admin', 'kotlin', 'swift', 'rest'] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

/** The node that a sample reads, optionally with a query on its children. */
interface CodeTarget {
  readonly database: string;
  readonly path: NodePath;
  readonly query: NodeQuery | null;
  /** Origin of the server, as clients use it. */
  readonly origin: string;
}

/** Returns code that reads or listens to a node or query. */
export function printQueryCode(language: CodeLanguage, target: CodeTarget): string {
  switch (language) {
    case 'js':
      return printJs(target);
    case 'admin':
      return printAdmin(target);
    case 'kotlin':
      return printKotlin(target);
    case 'swift':
      return printSwift(target);
    case 'rest':
      return printRest(target);
    default:
      return language satisfies never;
  }
}

/** Returns the rules with the index that a query needs; `null` if it needs none. */
export function printIndexRules(path: NodePath, query: NodeQuery | null): string | null {
  if (query === null || query.order === 'key' || query.order === 'priority') return null;
  const index = query.order === 'value' ? '.value' : query.child;
  let rules: unknown = { '.indexOn': [index] };
  for (const key of keysOf(path).toReversed()) rules = { [key]: rules };
  return printExact({ rules });
}

/** A method call of the client SDKs. */
interface Call {
  readonly name: string;
  readonly argument?: string | number | boolean | null;
}

const ORDER_CALLS = {
  key: 'orderByKey',
  value: 'orderByValue',
  priority: 'orderByPriority',
  child: 'orderByChild',
} as const;

function callsOf(query: NodeQuery | null): readonly Call[] {
  if (query === null) return [];
  const { order, child, equal, start, end, limit, isLast } = query;
  const bound = (name: string, text: string): readonly Call[] =>
    text === '' ? [] : [{ name, argument: parseBound(text, order) }];
  return [
    order === 'child' ? { name: ORDER_CALLS.child, argument: child } : { name: ORDER_CALLS[order] },
    ...(equal === '' ? [...bound('startAt', start), ...bound('endAt', end)] : bound('equalTo', equal)),
    { name: isLast ? 'limitToLast' : 'limitToFirst', argument: limit },
  ];
}

const quote = (value: unknown): string => JSON.stringify(value);

function printCall({ name, argument }: Call): string {
  return `${name}(${argument === undefined ? '' : quote(argument)})`;
}

function printJs({ path, query }: CodeTarget): string {
  const calls = callsOf(query);
  const names = [
    'getDatabase',
    'onValue',
    ...(calls.length === 0 ? [] : ['query']),
    'ref',
    ...calls.map(({ name }) => name),
  ];
  const node = `ref(getDatabase(app), ${quote(path)})`;
  const reference =
    calls.length === 0 ? node : `query(\n  ${[node, ...calls.map(printCall)].join(',\n  ')},\n)`;
  return `import {\n  ${names.join(',\n  ')},\n} from 'firebase/database';

onValue(${reference}, (snapshot) => {
  snapshot.forEach((child) => {
    console.log(child.key, child.val());
  });
});`;
}

function printAdmin({ path, query }: CodeTarget): string {
  const calls = [`ref(${quote(path)})`, ...callsOf(query).map(printCall)];
  return `import { getDatabase } from 'firebase-admin/database';

const snapshot = await getDatabase()
  .${calls.join('\n  .')}
  .get();
console.log(snapshot.val());`;
}

/** Quotes a Kotlin string, in which a dollar sign would start a template. */
const quoteKotlin = (value: unknown): string => quote(value).replaceAll('$', '\\$');

function printKotlin({ path, query }: CodeTarget): string {
  const calls = callsOf(query).map(
    ({ name, argument }) => `    .${name}(${argument === undefined ? '' : quoteKotlin(argument)})`,
  );
  return `val query = Firebase.database.getReference(${quoteKotlin(path.slice(1))})${calls.map((call) => `\n${call}`).join('')}

query.addValueEventListener(object : ValueEventListener {
    override fun onDataChange(snapshot: DataSnapshot) {
        for (child in snapshot.children) println("\${child.key}: \${child.value}")
    }
    override fun onCancelled(error: DatabaseError) = println(error.message)
})`;
}

const SWIFT_NAMES: Readonly<Record<string, string>> = {
  orderByKey: 'queryOrderedByKey',
  orderByValue: 'queryOrderedByValue',
  orderByPriority: 'queryOrderedByPriority',
  orderByChild: 'queryOrdered',
  startAt: 'queryStarting',
  endAt: 'queryEnding',
  equalTo: 'queryEqual',
  limitToFirst: 'queryLimited',
  limitToLast: 'queryLimited',
};
const SWIFT_LABELS: Readonly<Record<string, string>> = {
  orderByChild: 'byChild',
  startAt: 'atValue',
  endAt: 'atValue',
  equalTo: 'toValue',
  limitToFirst: 'toFirst',
  limitToLast: 'toLast',
};

/** Quotes a Swift string, in which Unicode escapes have braces. */
const quoteSwift = (value: unknown): string => quote(value).replace(/\\u([0-9a-f]{4})/g, '\\u{$1}');

function printSwift({ path, query }: CodeTarget): string {
  const calls = callsOf(query).map(({ name, argument }) => {
    const label = SWIFT_LABELS[name];
    return `  .${SWIFT_NAMES[name]}(${label === undefined ? '' : `${label}: ${argument === null ? 'nil' : quoteSwift(argument)}`})`;
  });
  return `let query = Database.database().reference(withPath: ${quoteSwift(path.slice(1))})${calls.map((call) => `\n${call}`).join('')}

query.observe(.value) { snapshot in
  for case let child as DataSnapshot in snapshot.children {
    print(child.key, child.value ?? "")
  }
}`;
}

const REST_ORDERS = { key: '$key', value: '$value', priority: '$priority' } as const;

function printRest({ database, path, query, origin }: CodeTarget): string {
  const address = `${origin}/${keysOf(path).map(encodeURIComponent).join('/')}.json`;
  const fields = callsOf(query).map(({ name, argument }) => {
    const field = name.startsWith('orderBy') ? 'orderBy' : name;
    const value =
      query !== null && field === 'orderBy'
        ? query.order === 'child'
          ? query.child
          : REST_ORDERS[query.order]
        : argument;
    return `  --data-urlencode ${quoteShell(`${field}=${quote(value)}`)}`;
  });
  return [
    'curl --get',
    `  ${quoteShell(address)}`,
    `  --data-urlencode ${quoteShell(`ns=${database}`)}`,
    ...fields,
  ].join(' \\\n');
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface CodeSamplesProps {
  readonly database: string;
  readonly path: NodePath;
  readonly query: NodeQuery | null;
}

/** Names of the languages, which are not translated. */
const NAMES: Readonly<Record<CodeLanguage, string>> = {
  js: 'JavaScript',
  admin: 'Admin (Node.js)',
  kotlin: 'Kotlin',
  swift: 'Swift',
  rest: 'REST',
};

/** A button that opens code samples for the node or query on the page. */
export function CodeSamples({ database, path, query }: CodeSamplesProps) {
  const { t } = useTranslation('data');
  const [isOpen, setOpen] = useState(false);
  const [language, setLanguage] = useState<CodeLanguage>('js');
  const titleId = useId();
  const code = printQueryCode(language, { database, path, query, origin: location.origin });
  const rules = printIndexRules(path, query);
  return (
    <>
      <Button startIcon={<CodeIcon />} onClick={() => setOpen(true)} sx={{ alignSelf: 'flex-start' }}>
        {t('code.title')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} aria-labelledby={titleId} maxWidth="md" fullWidth>
        <DialogTitle id={titleId}>{t('code.title')}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
          <Tabs
            value={language}
            variant="scrollable"
            aria-label={t('code.language')}
            onChange={(_event, one: CodeLanguage) => setLanguage(one)}
          >
            {CODE_LANGUAGES.map((one) => (
              <Tab key={one} value={one} label={NAMES[one]} />
            ))}
          </Tabs>
          <Code text={code} label={t('code.copy')} />
          {rules !== null && (
            <>
              <Typography>{t('code.index')}</Typography>
              <Code text={rules} label={t('code.copyRules')} />
            </>
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)} autoFocus>
            {t('code.close')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <Box sx={{ position: 'relative' }}>
      <Box
        component="pre"
        dir="ltr"
        tabIndex={0}
        sx={{
          margin: 0,
          padding: 2,
          paddingInlineEnd: 6,
          bgcolor: 'action.hover',
          borderRadius: 1,
          overflow: 'auto',
          fontFamily: MONOSPACE,
          fontSize: '0.8125rem',
        }}
      >
        {text}
      </Box>
      <Box sx={{ position: 'absolute', insetBlockStart: 8, insetInlineEnd: 8 }}>
        <CopyButton text={text} label={label} />
      </Box>
    </Box>
  );
}
