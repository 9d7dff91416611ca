import { type AccountMergeServices, accountMergeRoutes } from './account-merges.ts';
import { type AccountServices, accountRoutes } from './accounts.ts';
import { type ActivityServices, type AlertServices, activityRoutes, alertRoutes } from './activity.ts';
import { type AuditServices, auditRoutes } from './audit.ts';
import { type ChangeServices, changeRoutes } from './changes.ts';
import { type ConnectionServices, connectionRoutes } from './connections.ts';
import { type DatabaseServices, databaseRoutes } from './databases.ts';
import { type DenialServices, denialRoutes } from './denials.ts';
import { type ExplorerServices, explorerRoutes } from './explorer.ts';
import { type ImportServices, importRoutes } from './imports.ts';
import { type MailServices, mailRoutes } from './mails.ts';
import { type MemberServices, memberRoutes } from './members.ts';
import { type ProjectServices, projectRoutes } from './projects.ts';
import type { ApiRoute } from './request.ts';
import { type RulesServices, rulesRoutes } from './rules.ts';
import { type SessionServices, sessionRoutes } from './session.ts';
import { type TenantServices, tenantRoutes } from './tenants.ts';
import { type TextMessageServices, textMessageRoutes } from './text-messages.ts';

/** The services of the admin API. Each group of routes uses some of them. */
export interface AdminApiServices
  extends SessionServices,
    DatabaseServices,
    ExplorerServices,
    ImportServices,
    ChangeServices,
    AuditServices,
    ConnectionServices,
    ActivityServices,
    AlertServices,
    ProjectServices,
    MemberServices,
    AccountServices,
    AccountMergeServices,
    TenantServices,
    MailServices,
    TextMessageServices,
    RulesServices,
    DenialServices {}

/**
 * Returns all routes of the admin API that need a credential. If several routes match a URL, the first one
 * applies.
 */
export function adminApiRoutes(services: AdminApiServices): readonly ApiRoute[] {
  return [
    ...sessionRoutes(services),
    ...databaseRoutes(services),
    ...explorerRoutes(services),
    ...importRoutes(services),
    ...changeRoutes(services),
    ...auditRoutes(services),
    ...connectionRoutes(services),
    ...activityRoutes(services),
    ...alertRoutes(services),
    ...projectRoutes(services),
    ...memberRoutes(services),
    ...accountRoutes(services),
    ...accountMergeRoutes(services),
    ...tenantRoutes(services),
    ...mailRoutes(services),
    ...textMessageRoutes(services),
    ...rulesRoutes(services),
    ...denialRoutes(services),
  ];
}
