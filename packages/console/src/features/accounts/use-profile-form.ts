import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../../notices/notices.ts';
import { type Account, findAccount } from '../../server/accounts.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { changeTo, differences, editsSince, type Profile, type ProfileField, profileOf } from './profile.ts';
import { useAccountActions } from './use-accounts.ts';
import { useExplained } from './use-explained.ts';

interface ProfileForm {
  readonly draft: Profile;
  readonly changed: readonly ProfileField[];
  /** Fields that are changed here and meanwhile were elsewhere, and what they are there. */
  readonly conflicts: readonly ProfileField[];
  readonly theirs: Profile;
  readonly isSaving: boolean;
  readonly error: unknown;
  edit(change: Partial<Profile>): void;
  reset(): void;
  /** Saves what is different, unless somebody else has changed the same and it is not to be overwritten. */
  save(mayOverwrite: boolean): Promise<void>;
  /** Gives up what somebody else has changed, too. */
  takeTheirs(): void;
}

interface FormState {
  /** What the changes are made to. */
  readonly base: Profile;
  readonly edits: Partial<Profile>;
  readonly conflicts: readonly ProfileField[];
  readonly isSaving: boolean;
  readonly error?: unknown;
}

/** The profile of an account as it is being edited. What somebody else changes meanwhile shows up where nothing is typed. */
export function useProfileForm(account: Account): ProfileForm {
  const { t } = useTranslation('accounts');
  const api = useApi();
  const project = useProjectId();
  const { change, refresh } = useAccountActions();
  const explain = useExplained();
  const theirs = profileOf(account);
  const [state, setState] = useState<FormState>({ base: theirs, edits: {}, conflicts: [], isSaving: false });
  const draft = { ...theirs, ...state.edits };
  const changed = differences(theirs, draft);
  function untouched(): FormState {
    return { base: theirs, edits: {}, conflicts: [], isSaving: false };
  }
  async function save(mayOverwrite: boolean): Promise<void> {
    const { base, edits } = state;
    // The fields can be written into while they are saved, so what comes of it is added to what is there by then.
    setState((before) => ({ ...before, conflicts: [], isSaving: true }));
    try {
      const current = await findAccount(api, project, account.localId);
      const now = current === null ? base : profileOf(current);
      const edited = differences(now, draft).filter((field) => edits[field] !== undefined);
      const conflicts = differences(base, now).filter((field) => edited.includes(field));
      if (conflicts.length > 0 && !mayOverwrite) {
        setState((before) => ({ ...before, conflicts, isSaving: false }));
        await refresh();
        return;
      }
      await change(account.localId, changeTo(draft, edited));
      tell({ kind: 'done', text: t('saved') });
      // Until it is there, the fields would show what was before.
      await refresh();
      setState((before) => ({
        base: { ...now, ...edits },
        edits: editsSince(before.edits, edits),
        conflicts: [],
        isSaving: false,
      }));
    } catch (error) {
      setState((before) => ({ ...before, conflicts: [], isSaving: false, error: explain(error) }));
      await refresh();
    }
  }
  return {
    draft,
    changed,
    conflicts: state.conflicts,
    theirs,
    isSaving: state.isSaving,
    error: state.error,
    edit: (edits) =>
      setState((before) => ({
        base: Object.keys(before.edits).length === 0 ? theirs : before.base,
        edits: { ...before.edits, ...edits },
        conflicts: before.conflicts,
        isSaving: before.isSaving,
      })),
    reset: () => setState(untouched()),
    save,
    takeTheirs() {
      const left = Object.entries(state.edits).filter(
        ([name]) => !state.conflicts.some((field) => field === name),
      );
      setState({ ...untouched(), edits: Object.fromEntries(left) });
    },
  };
}
