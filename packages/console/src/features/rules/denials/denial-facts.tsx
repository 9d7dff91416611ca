import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import type { WholeDenial } from '../../../server/rules-denials.ts';
import { usePrintIdentity } from './use-print-identity.ts';

interface DenialFactsProps {
  readonly denial: WholeDenial;
}

/** Who asked for what. */
export function DenialFacts({ denial }: DenialFactsProps) {
  const { t } = useTranslation('rules');
  const printIdentity = usePrintIdentity();
  const { operation, paths, pathCount, identity, query } = denial;
  const said = Object.entries(query ?? {}).filter(([, value]) => value !== null && value !== false);
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [t('denials.operation'), <ForeignText key="operation" isCode text={operation} />],
    [
      t('denials.places', { count: pathCount }),
      <Fragment key="places">
        {paths.map((path) => (
          <div key={path}>
            <ForeignText isCode text={path} />
          </div>
        ))}
        {pathCount > paths.length && t('denials.morePaths', { count: pathCount - paths.length })}
      </Fragment>,
    ],
    [
      t('denials.who'),
      identity.kind === 'guest' ? (
        printIdentity(identity)
      ) : (
        <details key="who">
          <Box component="summary" sx={{ cursor: 'pointer' }}>
            <bdi>{printIdentity(identity)}</bdi>
          </Box>
          <ForeignText
            isCode
            text={typeof identity.auth === 'string' ? identity.auth : JSON.stringify(identity.auth)}
          />
        </details>
      ),
    ],
    ...(said.length === 0
      ? []
      : [
          [
            t('denials.query'),
            <ForeignText key="query" isCode text={JSON.stringify(Object.fromEntries(said))} />,
          ] as const,
        ]),
  ];
  return (
    <Box
      component="dl"
      sx={{
        margin: 0,
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr)',
        columnGap: 2,
        rowGap: 0.5,
      }}
    >
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Typography component="dd" variant="body2" sx={{ margin: 0 }}>
            {value}
          </Typography>
        </Fragment>
      ))}
    </Box>
  );
}
