/** Takes the code out of the address, so that neither the history nor a look at the screen gives it away. */
export function hideCode(): void {
  const url = new URL(location.href);
  url.searchParams.delete('oobCode');
  history.replaceState(null, '', url);
}
