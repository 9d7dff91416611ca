/**
 * The page that a client keeps in an invisible frame: it tells the server when it is unloaded, together with the client's
 * page or because the client has removed it. It knows of what connection from its own address.
 */
export const LEAVE_PAGE = `<!doctype html>
<title>Leave notification</title>
<script>
const address = new URL(location.href);
address.searchParams.delete('dframe');
address.searchParams.set('disconn', 't');
addEventListener('pagehide', () => navigator.sendBeacon(address));
</script>
`;
