import { lazy, Suspense } from 'react';
import type { Language } from '../shell/document.ts';
import { ActionButton } from '../shell/form.tsx';
import { PageCard, Working } from '../shell/page-card.tsx';
import { Facts, Text } from '../shell/text.tsx';
import { EndView } from './end-view.tsx';
import { busyLabel, ForgotForm, OtherWay, ProblemNotice, SignInForm } from './forms.tsx';
import type { HostedPage as Page } from './parameters.ts';
import type { Server } from './server.ts';
import type { Texts } from './texts.ts';
import { useHosted } from './use-hosted.ts';

/** Loaded on demand, because most visits need none of them. */
const FactorForm = lazy(async () => ({ default: (await import('./factor-form.tsx')).FactorForm }));
const PhoneForm = lazy(async () => ({ default: (await import('./phone-form.tsx')).PhoneForm }));
const LinkForm = lazy(async () => ({ default: (await import('./link-forms.tsx')).LinkForm }));
const SentLink = lazy(async () => ({ default: (await import('./link-forms.tsx')).SentLink }));
const AccountViews = lazy(async () => ({
  default: (await import('./account/account-view.tsx')).AccountViews,
}));
const SignUpForm = lazy(async () => ({ default: (await import('./sign-up-form.tsx')).SignUpForm }));

interface HostedPageProps {
  readonly page: Page;
  readonly language: Language;
  readonly server: Server;
  readonly texts: Texts;
}

/** The page on which users of an app sign in. */
export function HostedPage({ page, language, server, texts }: HostedPageProps) {
  const hosted = useHosted(page, server, language);
  const { stage } = hosted;
  const { own, shared } = texts;
  if (stage.kind === 'problem') return <EndView end={stage} language={language} waiting={shared.busy} />;
  if (stage.kind === 'delivered') return <EndView end={stage} language={language} waiting={shared.busy} />;
  if (page.kind === 'problem') return null;
  const { project, redirectUrl } = page;
  switch (stage.kind) {
    case 'loading':
    case 'leaving':
      return (
        <PageCard
          drawing="lock"
          heading={stage.kind === 'loading' ? shared.busy : own.leaving}
          screen={stage.kind}
        >
          <Working />
        </PageCard>
      );
    case 'signIn':
      return (
        <PageCard drawing="lock" heading={own.signIn.heading(project.name)} screen={stage.kind}>
          <Text>
            <bdi>{redirectUrl.host}</bdi>
          </Text>
          <SignInForm hosted={hosted} texts={texts} project={project} />
        </PageCard>
      );
    case 'signUp':
      return (
        <PageCard drawing="lock" heading={own.signUp.heading} screen={stage.kind}>
          <Suspense fallback={<Working />}>
            <SignUpForm hosted={hosted} texts={texts} language={language} server={server} />
          </Suspense>
        </PageCard>
      );
    case 'forgot':
      return (
        <PageCard drawing="mail" heading={own.forgot.heading} screen={stage.kind}>
          <ForgotForm hosted={hosted} texts={texts} />
        </PageCard>
      );
    case 'link':
      return (
        <PageCard
          drawing="mail"
          heading={stage.isSent ? own.link.sentHeading : own.signIn.link}
          screen={stage.isSent ? 'link sent' : stage.kind}
        >
          <Suspense fallback={<Working />}>
            {stage.isSent ? (
              <SentLink hosted={hosted} texts={texts} email={stage.email} />
            ) : (
              <LinkForm hosted={hosted} texts={texts} stage={stage} />
            )}
          </Suspense>
        </PageCard>
      );
    case 'address':
      return (
        <PageCard drawing="mail" heading={own.link.addressHeading} screen={stage.kind}>
          <Suspense fallback={<Working />}>
            <LinkForm hosted={hosted} texts={texts} stage={stage} />
          </Suspense>
        </PageCard>
      );
    case 'arrived':
      return (
        <PageCard drawing="check" tone="success" heading={own.link.arrivedHeading} screen={stage.kind}>
          <Text>{own.link.arrived}</Text>
          <Text>
            <bdi>{redirectUrl.host}</bdi>
          </Text>
          <ActionButton label={own.choose.submit} onPress={hosted.goToApp} />
        </PageCard>
      );
    case 'phone':
      return (
        <PageCard
          drawing="lock"
          heading={own.signIn.phone}
          screen={stage.sent === undefined ? 'phone number' : 'phone code'}
        >
          <Suspense fallback={<Working />}>
            <PhoneForm hosted={hosted} texts={texts} stage={stage} />
          </Suspense>
        </PageCard>
      );
    case 'factor':
      return (
        <PageCard drawing="shield" heading={own.factor.heading} screen={`factor ${stage.factor.id}`}>
          <Suspense fallback={<Working />}>
            <FactorForm
              key={stage.factor.id}
              hosted={hosted}
              texts={texts}
              stage={stage}
              arePasskeysEnabled={project.arePasskeysEnabled}
            />
          </Suspense>
        </PageCard>
      );
    case 'choose':
      return (
        <PageCard drawing="lock" heading={own.choose.heading(project.name)} screen={stage.kind}>
          <Text>{own.choose.text}</Text>
          <Facts facts={[{ label: shared.labels.account, value: stage.user.label }]} />
          <Text>
            <bdi>{redirectUrl.host}</bdi>
          </Text>
          <ProblemNotice hosted={hosted} texts={texts} />
          <ActionButton
            label={own.choose.submit}
            busyLabel={busyLabel({ hosted, texts })}
            onPress={hosted.goOn}
          />
          <OtherWay label={own.choose.other} onPress={hosted.useOther} />
        </PageCard>
      );
    case 'account':
    case 'confirm':
    case 'gone':
      return (
        <Suspense fallback={null}>
          <AccountViews
            stage={stage}
            start={page}
            hosted={hosted}
            server={server}
            language={language}
            texts={texts}
          />
        </Suspense>
      );
    default:
      return stage satisfies never;
  }
}
