import type { Language } from '../../shell/document.ts';
import type { DrawingName } from '../../shell/drawing.tsx';
import { PageCard, Working } from '../../shell/page-card.tsx';
import { useMessages } from '../../shell/use-messages.ts';
import { OtherWay } from '../forms.tsx';
import type { HostedStart } from '../parameters.ts';
import type { Server } from '../server.ts';
import type { Texts } from '../texts.ts';
import type { Hosted, Stage } from '../use-hosted.ts';
import { CodesView } from './codes-view.tsx';
import { ConfirmView } from './confirm-view.tsx';
import type { Messages } from './messages/messages.ts';
import { Overview } from './overview.tsx';
import { PhoneView } from './phone-view.tsx';
import type { Task } from './task.ts';
import { LinkView, PasskeyView, SimpleTaskView } from './task-view.tsx';
import { type AccountTexts, type AddedTexts, loadAddedTexts } from './texts.ts';
import { TotpView } from './totp-view.tsx';
import { useAccount } from './use-account.ts';
import { AccountProblemNotice, type AccountViewProps, EmailForm, NameForm, PasswordForm } from './views.tsx';

interface AccountViewsProps {
  readonly stage: Extract<Stage, { readonly kind: 'account' | 'confirm' | 'gone' }>;
  readonly start: HostedStart;
  readonly hosted: Hosted;
  readonly server: Server;
  readonly language: Language;
  readonly texts: Texts;
}

/** The account page. Its texts are loaded on demand, because visitors who sign in do not need them. */
export function AccountViews(props: AccountViewsProps) {
  const { stage, start, hosted, texts, language } = props;
  const added = useMessages(loadAddedTexts, language);
  if (added === undefined)
    return (
      <PageCard drawing="lock" heading={texts.shared.busy} screen="loading">
        <Working />
      </PageCard>
    );
  const { own } = added;
  switch (stage.kind) {
    case 'account':
      return <AccountView {...props} stage={stage} added={added} />;
    case 'confirm':
      return (
        <PageCard drawing="shield" heading={own.confirm.heading} screen={stage.kind}>
          <ConfirmView hosted={hosted} texts={texts} own={own} stage={stage} project={start.project} />
        </PageCard>
      );
    case 'gone':
      return (
        <PageCard drawing="check" tone="success" heading={own.gone[stage.reason]} screen={stage.kind}>
          <BackToApp start={start} own={own} />
        </PageCard>
      );
    default:
      return stage satisfies never;
  }
}

interface AccountProps extends AccountViewsProps {
  readonly stage: Extract<Stage, { readonly kind: 'account' }>;
  readonly added: AddedTexts;
}

function AccountView({ stage, start, hosted, server, language, texts, added }: AccountProps) {
  const { own } = added;
  const state = useAccount(server, hosted, stage);
  const views: AccountViewProps = {
    server,
    state,
    texts: { ...added, page: texts.own, shared: texts.shared },
    formatDate: (timeMs) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(timeMs),
  };
  const { account, task } = state;
  if (account === undefined)
    return (
      <PageCard drawing="lock" heading={own.heading} screen="account">
        {state.progress.kind === 'failed' ? <AccountProblemNotice {...views} /> : <Working />}
        <BackToApp start={start} own={own} />
      </PageCard>
    );
  if (task !== undefined)
    return (
      <PageCard drawing={drawingOf(task)} heading={headingOf(task, views.texts)} screen={task.kind}>
        <TaskView {...views} task={task} issuer={start.project.name} hosted={hosted} />
      </PageCard>
    );
  return (
    <PageCard drawing="lock" heading={own.heading} screen="account">
      <Overview {...views} account={account} project={start.project} />
      <OtherWay
        label={own.signOut}
        onPress={() => void state.leave('signedOut', async () => ({ kind: 'ok', value: {} }))}
      />
      <BackToApp start={start} own={own} />
    </PageCard>
  );
}

/** The link back to the page of the app. The project has authorized the address of the page. */
function BackToApp({ start, own }: { readonly start: HostedStart; readonly own: Messages }) {
  const { redirectUrl } = start;
  return <OtherWay label={own.back(redirectUrl.host)} onPress={() => location.assign(redirectUrl)} />;
}

interface TaskViewProps extends AccountViewProps {
  readonly task: Task;
  readonly issuer: string;
  readonly hosted: Hosted;
}

function TaskView({ task, issuer, hosted, ...views }: TaskViewProps) {
  switch (task.kind) {
    case 'name':
      return <NameForm {...views} />;
    case 'email':
      return <EmailForm {...views} />;
    case 'password':
      return <PasswordForm {...views} />;
    case 'totp':
      return <TotpView {...views} issuer={issuer} />;
    case 'phone':
      return <PhoneView {...views} />;
    case 'recoveryCodes':
      return <CodesView {...views} />;
    case 'passkey':
      return <PasskeyView {...views} />;
    case 'link':
      return <LinkView {...views} provider={task.provider} hosted={hosted} />;
    default:
      return <SimpleTaskView {...views} task={task} />;
  }
}

function headingOf(task: Task, { own, credentials }: AccountTexts): string {
  switch (task.kind) {
    case 'name':
      return own.changeName;
    case 'email':
      return own.changeEmail.heading;
    case 'password':
      return credentials.newPassword.heading;
    case 'totp':
      return own.addTotp;
    case 'phone':
      return own.addPhone;
    case 'recoveryCodes':
      return own.recoveryCodes;
    case 'passkey':
      return own.addPasskey;
    case 'link':
      return own.link(task.provider.name);
    default:
      return own.tasks[task.kind].heading;
  }
}

function drawingOf({ kind }: Task): DrawingName {
  if (kind === 'email') return 'mail';
  return kind === 'delete' || kind === 'endAll' ? 'warning' : 'shield';
}
