import { managementRoutes } from './management.ts';
import type { ApiRoute } from './request.ts';
import { type AdminApiServices, adminApiRoutes } from './table.ts';

/** The routes of the admin API. None of them can run, because there are no services. */
export const API_ROUTES: readonly ApiRoute[] = adminApiRoutes({} as AdminApiServices);

/** The routes of the admin API and those of the official tools. */
export const ALL_ROUTES: readonly ApiRoute[] = [...API_ROUTES, ...managementRoutes({} as AdminApiServices)];
