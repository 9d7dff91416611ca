import type { EditorView } from '@codemirror/view';
import Paper from '@mui/material/Paper';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { CurrentRules } from '../../../api/rules.ts';
import { useRights } from '../../../session/session.ts';
import { type Command, useCommands } from '../../../shell/commands.ts';
import { notify } from '../../../ui/notices.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { useCaseCoverage } from '../cases/run-cases.ts';
import { CodeEditor, goToOffset } from '../code/code-editor.tsx';
import { formatRules } from '../code/format.ts';
import { ProblemList, useCheckedDraft } from '../code/problems.tsx';
import { type Draft, draftOf, useCurrentRules, useDraft } from '../code/revisions.ts';
import { MergeDialog } from '../versions/difference.tsx';
import { EditorBar, NewerVersionNotice } from './editor-bar.tsx';
import { useGoToLine, useRulesExtensions } from './extensions.ts';
import { PublishDialog } from './publish-dialog.tsx';

interface RulesEditorProps {
  readonly database: string;
  readonly current: CurrentRules;
}

type Step = 'writing' | 'publishing' | 'merging';

/** Shows the editor with the current rules or a draft, the problems of the draft, and the actions to publish it. */
export function RulesEditor({ database, current }: RulesEditorProps) {
  const { t } = useTranslation('rules');
  const { mayChange } = useRights();
  const [parameters, setParameters] = useSearchParams();
  const { draft, isNotStored, write } = useDraft(database);
  const [step, setStep] = useState<Step>('writing');
  const view = useRef<EditorView | null>(null);
  const source = draft?.source ?? current.source;
  const checked = useCheckedDraft(source);
  const isCoverageShown = parameters.get('coverage') === 'shown';
  const coverage = useCaseCoverage(database, isCoverageShown ? checked.rules : null);
  const extensions = useRulesExtensions(checked, coverage);
  useGoToLine(view, Number(parameters.get('line') ?? 0));
  // Just after publishing, the draft is still based on the previous version but equals the current rules.
  const isOutdated = draft !== null && draft.basedOn !== current.id && draft.source !== current.source;
  const mayPublish =
    mayChange && draft !== null && !isOutdated && checked.problemCount === 0 && checked.source === source;

  const actions = useMemo(() => {
    const change = (text: string): void =>
      write(text === current.source ? null : { source: text, basedOn: draft?.basedOn ?? current.id });
    /**
     * Replaces the draft. The undo restores the old draft and can itself be undone, so that text written in between is not
     * lost.
     */
    function replaceDraft(next: Draft | null): void {
      const discarded = draftOf(database);
      write(next);
      if (discarded !== null)
        notify({ kind: 'done', text: t('edit.discarded'), undo: () => replaceDraft(discarded) });
    }
    return {
      change,
      format: () => {
        const formatted = formatRules(source);
        if (formatted === undefined) notify({ kind: 'failed', text: t('edit.notFormatted') });
        else change(formatted);
      },
      discard: () => replaceDraft(null),
      publish: () => setStep('publishing'),
      toggleCoverage: () =>
        setParameters(
          (before) => {
            const after = new URLSearchParams(before);
            if (isCoverageShown) after.delete('coverage');
            else after.set('coverage', 'shown');
            return after;
          },
          { replace: true },
        ),
    };
  }, [database, source, draft, current, write, t, isCoverageShown, setParameters]);

  const commands = useMemo(
    (): readonly Command[] => [
      {
        id: 'rules.format',
        title: t('edit.format'),
        group: t('commands.group'),
        keys: 'alt+shift+f',
        run: actions.format,
      },
      {
        id: 'rules.coverage',
        title: t('edit.coverage'),
        group: t('commands.group'),
        run: actions.toggleCoverage,
      },
      ...(mayPublish
        ? [
            {
              id: 'rules.publish',
              title: t('edit.publish'),
              group: t('commands.group'),
              keys: 'mod+s',
              run: actions.publish,
            },
          ]
        : []),
      ...(draft === null
        ? []
        : [
            {
              id: 'rules.discard',
              title: t('edit.discard'),
              group: t('commands.group'),
              run: actions.discard,
            },
          ]),
    ],
    [t, actions, mayPublish, draft],
  );
  useCommands(commands);

  return (
    <>
      {isOutdated && <NewerVersionNotice version={current.version} merge={() => setStep('merging')} />}
      <EditorBar
        current={current}
        draft={draft}
        isNotStored={isNotStored}
        isCoverageShown={isCoverageShown}
        mayChange={mayChange}
        mayPublish={mayPublish}
        {...actions}
      />
      <Paper
        variant="outlined"
        sx={{ flex: 1, minHeight: 260, display: 'flex', flexDirection: 'column', overflow: 'hidden' }}
      >
        <CodeEditor
          label={t('edit.label', { database })}
          text={source}
          change={actions.change}
          extensions={extensions}
          view={view}
        />
        <ProblemList checked={checked} go={(offset) => goToOffset(view.current, offset)} />
      </Paper>
      {draft !== null && (
        <PublishDialog
          isOpen={step === 'publishing'}
          database={database}
          current={current}
          draft={draft}
          outdated={() => setStep('merging')}
          published={({ source: published, id }) => {
            const now = draftOf(database);
            const isDone = now === null || now.source === published;
            write(isDone ? null : { ...now, basedOn: id });
          }}
          close={() => setStep('writing')}
        />
      )}
      {draft !== null && (
        <MergeDialog
          isOpen={step === 'merging'}
          database={database}
          current={current}
          draft={draft}
          merged={(text) => {
            write(text === current.source ? null : { source: text, basedOn: current.id });
            setStep('writing');
          }}
          close={() => setStep('writing')}
        />
      )}
    </>
  );
}

interface EditTabProps {
  readonly database: string;
}

/** The tab where the user edits and publishes rules. */
export function EditTab({ database }: EditTabProps) {
  const current = useCurrentRules(database);
  return <Loaded of={current}>{(rules) => <RulesEditor database={database} current={rules} />}</Loaded>;
}
