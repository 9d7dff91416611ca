/** The look of the hosted pages and mails of a project. Its name is `ProjectMail.appName`. */
export interface ProjectTheme {
  /** The color of buttons and links in the light scheme, such as `#1a73e8`; `null` for that of Hearth. */
  readonly lightColor: string | null;
  /** The same in the dark scheme. */
  readonly darkColor: string | null;
  /** The radius of the corners of buttons and fields, in pixels; `null` for that of Hearth. */
  readonly cornerRadius: number | null;
  /** A PNG image as a `data:` URL; `null` for none. */
  readonly logo: string | null;
}

export const INITIAL_THEME: ProjectTheme = {
  lightColor: null,
  darkColor: null,
  cornerRadius: null,
  logo: null,
};
