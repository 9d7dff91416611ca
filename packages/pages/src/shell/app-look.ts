import { createContext } from 'react';
import type { ColorScheme } from './styles.ts';

/** The look that a page takes from its app. */
export interface AppLook {
  /** The name of the app. */
  readonly name: string;
  /** The name of the tenant whose accounts the page is for; undefined if it has none. */
  readonly tenantName: string | undefined;
  /** The color of buttons and links, such as `#1a73e8`; undefined for that of Hearth. */
  readonly colors: Readonly<Partial<Record<ColorScheme, string>>>;
  /** The radius of the corners of buttons and fields, in pixels; undefined for that of Hearth. */
  readonly cornerRadius: number | undefined;
  /** The logo as a `data:` URL; undefined for none. */
  readonly logo: string | undefined;
}

/** The look of the page; undefined if no app is known. */
export const AppLookContext = createContext<AppLook | undefined>(undefined);
