import type accounts from './messages/en/accounts.json';
import type activity from './messages/en/activity.json';
import type audit from './messages/en/audit.json';
import type data from './messages/en/data.json';
import type memberSignIn from './messages/en/member-sign-in.json';
import type overview from './messages/en/overview.json';
import type project from './messages/en/project.json';
import type rules from './messages/en/rules.json';
import type shell from './messages/en/shell.json';
import type signIn from './messages/en/sign-in.json';

/** Declares every text key of the English files, so that code with an unknown key does not type-check. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: {
      shell: typeof shell;
      'member-sign-in': typeof memberSignIn;
      overview: typeof overview;
      data: typeof data;
      rules: typeof rules;
      accounts: typeof accounts;
      'sign-in': typeof signIn;
      activity: typeof activity;
      audit: typeof audit;
      project: typeof project;
    };
  }
}
