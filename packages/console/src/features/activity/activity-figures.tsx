import { useTranslation } from 'react-i18next';
import { FigureGrid } from '../../elements/figure-grid.tsx';
import type { ActivityPoint } from './activity-series.ts';
import { CHARTS } from './charts.ts';
import { printFigure } from './print-figure.ts';

interface ActivityFiguresProps {
  /** The latest; undefined before there is one. */
  readonly point: ActivityPoint | undefined;
}

/** The figures of the latest second, which are the charts for whoever does not see them. */
export function ActivityFigures({ point }: ActivityFiguresProps) {
  const { t, i18n } = useTranslation('activity');
  const figures = CHARTS.flatMap(({ unit, lines }) =>
    lines.map(({ figure }) => ({
      name: t(`figure.${figure}`),
      text: printFigure(point?.[figure] ?? null, unit, i18n.language),
    })),
  );
  return <FigureGrid figures={figures} />;
}
