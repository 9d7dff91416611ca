import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { printBytes } from '../../elements/print-bytes.ts';
import { areaAddress, dataAddress, rulesAddress } from '../../routes/addresses.ts';
import type { Loadable } from '../../server/loadable.ts';
import { useProjectId } from '../../session/session.ts';
import { useMeasure } from '../project/use-measure.ts';
import { FigureCard } from './figure-card.tsx';
import { type Figure, useFigures } from './use-figures.ts';

interface FiguresGridProps {
  readonly database: string;
}

/** What there is and what goes on, each figure a way to more. */
export function FiguresGrid({ database }: FiguresGridProps) {
  const { t, i18n } = useTranslation('overview');
  const project = useProjectId();
  const { connections, denials, accounts } = useFigures(database);
  const { measure } = useMeasure(database);
  const number = new Intl.NumberFormat(i18n.language);
  const print = (figure: Loadable<Figure>): string | undefined => {
    if (figure.kind === 'loading') return undefined;
    if (figure.kind !== 'ready') return '–';
    const text = number.format(figure.data.count);
    return figure.data.isMore ? t('figures.atLeast', { count: text }) : text;
  };
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(160px, 1fr))' }}>
      <FigureCard
        title={t('figures.size')}
        address={dataAddress(project, database)}
        value={measure && printBytes(measure.bytes, i18n.language)}
        detail={t(measure?.isComplete === false ? 'figures.measuring' : 'figures.sizeDetail')}
      />
      <FigureCard
        title={t('figures.connections')}
        address={`${areaAddress(project, 'activity')}/connections`}
        value={print(connections)}
        detail={t('figures.connectionsDetail')}
      />
      <FigureCard
        title={t('figures.denials')}
        address={rulesAddress(project, database, 'denials')}
        value={print(denials)}
        detail={t('figures.denialsDetail')}
      />
      <FigureCard
        title={t('figures.accounts')}
        address={areaAddress(project, 'accounts')}
        value={print(accounts)}
        detail={t('figures.accountsDetail')}
      />
    </Box>
  );
}
