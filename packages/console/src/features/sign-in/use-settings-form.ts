import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../../notices/notices.ts';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { changeConfig, readConfig, type SignInConfig } from '../../server/sign-in-settings.ts';
import { useApi, useProjectId, useRights } from '../../session/session.ts';
import { type Conflict, type Edits, editsSince, findConflicts, isSame, valueAt } from './settings.ts';

/** Settings as they are being changed. */
export interface SettingsForm {
  readonly mayChange: boolean;
  /** What decides who gets in, and where mails and codes go, is the owners' to change. */
  readonly mayOwn: boolean;
  /** Only what is different from the server's. */
  readonly edits: Edits;
  readonly conflicts: readonly Conflict[];
  readonly isSaving: boolean;
  readonly error: unknown;
  /** What a setting is to be. */
  value(path: string): unknown;
  set(path: string, value: unknown): void;
  discard(): void;
  /** Saves all edits together, unless somebody else has changed the same and it is not to be overwritten. */
  save(mayOverwrite: boolean): Promise<void>;
  /** Gives up what somebody else has changed, too. */
  takeTheirs(): void;
}

interface FormState {
  readonly edits: Edits;
  readonly conflicts: readonly Conflict[];
  readonly isSaving: boolean;
  readonly error?: unknown;
}

const UNTOUCHED: FormState = { edits: {}, conflicts: [], isSaving: false };

/** The settings of the project, and a form for them. */
export function useSettingsForm(): Loadable<SettingsForm> {
  const { t } = useTranslation('sign-in');
  const api = useApi();
  const project = useProjectId();
  const client = useQueryClient();
  const { mayChange, mayOwn } = useRights();
  const queryKey = ['config', project];
  const loaded = loadableOf(useQuery({ queryKey, queryFn: () => readConfig(api, project) }));
  const [state, setState] = useState(UNTOUCHED);
  if (loaded.kind !== 'ready') return loaded;
  const config = loaded.data;
  async function save(mayOverwrite: boolean): Promise<void> {
    // The keys that save do not know.
    if (state.isSaving) return;
    const { edits } = state;
    // Settings can be changed while others are saved, so what comes of it is added to what is there by then.
    setState((before) => ({ ...before, conflicts: [], isSaving: true }));
    try {
      const now = await readConfig(api, project);
      client.setQueryData<SignInConfig>(queryKey, now);
      const conflicts = findConflicts(now, edits);
      if (conflicts.length > 0 && !mayOverwrite) {
        setState((before) => ({ ...before, conflicts, isSaving: false }));
        return;
      }
      const values = Object.entries(edits).map(([path, { after }]) => [path, after] as const);
      const saved = await changeConfig(api, project, Object.fromEntries(values));
      client.setQueryData<SignInConfig>(queryKey, saved);
      setState((before) => ({ ...UNTOUCHED, edits: editsSince(before.edits, edits, saved) }));
      tell({ kind: 'done', text: t('saved') });
    } catch (error) {
      setState((before) => ({ ...before, conflicts: [], isSaving: false, error }));
    }
  }
  const form: SettingsForm = {
    ...state,
    error: state.error,
    mayChange,
    mayOwn,
    value(path) {
      const edit = state.edits[path];
      return edit === undefined ? valueAt(config, path) : edit.after;
    },
    set(path, after) {
      setState(({ edits, conflicts, isSaving }) => {
        const before = edits[path] === undefined ? valueAt(config, path) : edits[path].before;
        const { [path]: _old, ...others } = edits;
        return {
          conflicts,
          isSaving,
          edits: isSame(before, after) ? others : { ...others, [path]: { before, after } },
        };
      });
    },
    discard: () => setState(UNTOUCHED),
    save,
    takeTheirs() {
      const given = Object.entries(state.edits).filter(
        ([path]) => !state.conflicts.some((one) => one.path === path),
      );
      setState({ ...UNTOUCHED, edits: Object.fromEntries(given) });
    },
  };
  return { kind: 'ready', data: form };
}
