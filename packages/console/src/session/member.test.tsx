import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { useRefetchOnReturn } from './member.ts';

const RIGHTS = ['rights'] as const;

interface ViewProps {
  load(): Promise<string>;
}

function View({ load }: ViewProps) {
  useRefetchOnReturn(RIGHTS);
  const { data } = useQuery({ queryKey: RIGHTS, queryFn: load, refetchOnWindowFocus: false });
  return data;
}

/** Simulates that the user returns to the window. */
function comeBack(): void {
  dispatchEvent(new Event('visibilitychange'));
}

/** Mounts the view. Returns its requests, to which the test responds, and its container. */
function showView() {
  const requests: PromiseWithResolvers<string>[] = [];
  function load(): Promise<string> {
    const one = Promise.withResolvers<string>();
    requests.push(one);
    return one.promise;
  }
  const container = document.createElement('div');
  const client = new QueryClient();
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    client.clear();
  });
  root.render(
    <QueryClientProvider client={client}>
      <View load={load} />
    </QueryClientProvider>,
  );
  return { requests, container };
}

test('[C435] a return to the window refetches even during a request, and the response of that request is ignored', async () => {
  const { requests, container } = showView();
  await expect.poll(() => requests).toHaveLength(1);
  requests[0]?.resolve('owner');
  await expect.poll(() => container.textContent).toBe('owner');
  comeBack();
  await expect.poll(() => requests).toHaveLength(2);
  comeBack();
  await expect.poll(() => requests).toHaveLength(3);
  requests[2]?.resolve('viewer');
  await expect.poll(() => container.textContent).toBe('viewer');
  requests[1]?.resolve('owner');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(container.textContent).toBe('viewer');
});
