import type { Project } from '../auth/projects/project.ts';

/** How a page looks like the app of a project. Absent members are as on the pages of Hearth. */
export interface PageLook {
  readonly name: string;
  readonly tenantName?: string;
  readonly lightColor?: string;
  readonly darkColor?: string;
  /** In pixels. */
  readonly cornerRadius?: number;
  /** A `data:` URL. */
  readonly logo?: string;
}

/** Returns the look of the pages for the users of a project, or of one of its tenants. */
export function pageLookOf({ id, settings, tenantName }: Project): PageLook {
  const { lightColor, darkColor, cornerRadius, logo } = settings.theme;
  return {
    name: settings.mail.appName ?? id,
    ...(tenantName === undefined ? {} : { tenantName }),
    ...(lightColor === null ? {} : { lightColor }),
    ...(darkColor === null ? {} : { darkColor }),
    ...(cornerRadius === null ? {} : { cornerRadius }),
    ...(logo === null ? {} : { logo }),
  };
}
