import { create } from 'zustand';
import { keepPreferences, type Preferences, readPreferences } from './kept-preferences.ts';

/** What whoever is at the console likes, as all views see it. */
export const usePreferences = create<Preferences>()(readPreferences);

/** Changes some of them, for good. */
export function changePreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change);
  keepPreferences(usePreferences.getState());
}
