import { printBytes } from '../../elements/print-bytes.ts';
import type { Chart } from './charts.ts';

/** A figure with its unit; a dash for one that there is not. */
export function printFigure(value: number | null, unit: Chart['unit'], language: string): string {
  if (value === null) return '–';
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: value < 10 ? 1 : 0 });
  switch (unit) {
    case 'count':
      return number.format(value);
    case 'ms':
      return new Intl.NumberFormat(language, {
        style: 'unit',
        unit: 'millisecond',
        unitDisplay: 'short',
        maximumFractionDigits: value < 10 ? 2 : 0,
      }).format(value);
    case 'bytesPerSec':
      return `${printBytes(value, language)}/s`;
    default:
      return `${number.format(value)}/s`;
  }
}
