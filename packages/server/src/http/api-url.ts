/** Is this the target of a request to the interface of Hearth's own? */
export function isApiUrl(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url);
}
