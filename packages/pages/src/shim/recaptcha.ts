import { installCaptcha } from '@hearth/client/captcha';

/** Installs the replacement of Google's scripts for reCAPTCHA, for the server that sent this script. */
export function installRecaptcha(script: HTMLOrSVGScriptElement | null): void {
  if (script !== null && 'src' in script) installCaptcha(script.src);
}
