import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommands } from '../../../commands/commands.ts';
import { type RefusedAct, StandInApi, standInCredential } from '../../../server/stand-in-api.ts';
import { type Session, SessionContext, useSession } from '../../../session/session.ts';
import { withDoubles } from '../../rules/simulator/parse-json.ts';
import type { ReadQuestion } from '../../rules/simulator/question-form.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import { type Acting, ActingContext } from './acting.ts';
import { encodeStandIn, STAND_IN } from './stand-in.ts';
import { useStandIn } from './use-stand-in.ts';

const ChooseDialog = lazy(async () => ({ default: (await import('./choose-dialog.tsx')).ChooseDialog }));
const ExplainDialog = lazy(async () => ({ default: (await import('./explain-dialog.tsx')).ExplainDialog }));

interface ActAsProps {
  readonly place: DataPlace;
  readonly children: ReactNode;
}

/** Around views of data: what they read and write, they do in the place of whomever the address names. */
export function ActAs({ place, children }: ActAsProps) {
  const { t } = useTranslation('data');
  const session = useSession();
  const { parameters, set, database } = place;
  const text = parameters.get(STAND_IN);
  const who = useStandIn(text);
  const [refused, setRefused] = useState<RefusedAct | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [question, setQuestion] = useState<ReadQuestion | null>(null);
  // Equal claims are the same: what is open stays open while the account is looked up again. Until somebody is found, it is nobody.
  const authText = who.kind === 'oneself' ? null : JSON.stringify(who.kind === 'other' ? who.auth : null);
  const inPlace = useMemo(() => standInSession(session, authText, setRefused), [session, authText]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was refused belongs to one place and one asker.
  useEffect(() => setRefused(null), [database, place.path, text]);

  const acting = useMemo(
    (): Acting => ({
      who,
      refused,
      forgetRefused: () => setRefused(null),
      choose: () => setChoosing(true),
      stop: () => set({ [STAND_IN]: null }),
      explain: (asked) => {
        if (who.kind === 'other') setQuestion({ ...asked, auth: withDoubles(who.auth) });
      },
    }),
    [who, refused, set],
  );
  const { choose, stop } = acting;
  const commands = useMemo(
    () => [
      { id: 'data.act-as', title: t('actAs.choose'), group: t('title'), keys: 'u', run: choose },
      ...(text === null
        ? []
        : [{ id: 'data.act-as.stop', title: t('actAs.stop'), group: t('title'), run: stop }]),
    ],
    [t, text, choose, stop],
  );
  useCommands(commands);
  return (
    <ActingContext value={acting}>
      <SessionContext value={inPlace}>{children}</SessionContext>
      <Suspense>
        {isChoosing && (
          <ChooseDialog
            chosen={who.kind === 'other' ? who.standIn : null}
            choose={(standIn) => set({ [STAND_IN]: encodeStandIn(standIn) })}
            close={() => setChoosing(false)}
          />
        )}
        {question !== null && (
          <ExplainDialog database={database} question={question} close={() => setQuestion(null)} />
        )}
      </Suspense>
    </ActingContext>
  );
}

function standInSession(
  session: Session,
  authText: string | null,
  onDenied: (act: RefusedAct) => void,
): Session {
  if (authText === null) return session;
  const auth = JSON.parse(authText);
  return {
    ...session,
    api: new StandInApi(session.api, auth, onDenied),
    credential: standInCredential(session.credential, auth),
  };
}
