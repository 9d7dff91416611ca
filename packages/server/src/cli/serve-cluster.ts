import type { App } from '../app/app.ts';
import { startClusterApp } from '../app/cluster-app.ts';
import type { ServeMode } from '../app/mode.ts';
import { serveMode } from '../app/serve-mode.ts';
import { LocalAdmin } from '../auth/roles/administrators.ts';
import { generateRsaKeyPair } from '../auth/tokens/signing-keys.ts';
import type { Certificate } from '../http/certificate.ts';
import { secretKeyPath } from '../platform/data-directory.ts';
import { StartFailure } from '../platform/failures.ts';
import type { Logger } from '../platform/logger.ts';
import { hasRestarted, restartProcess } from '../platform/process.ts';
import { deriveKey, findSecretKey, findSecretKeyText, type SecretKey } from '../platform/secret-key.ts';
import type { ServeOptions } from '../platform/serve-options.ts';

interface StartedNode {
  readonly app: App;
  readonly mode: ServeMode;
  readonly failed: Promise<never>;
}

/**
 * Starts a server that is a node of a cluster. `showOwnerLink` receives a setup link for the first owner each time this
 * node begins to lead a cluster without owners. Rejects with a `StartFailure`.
 */
export async function startNode(
  options: ServeOptions,
  certificate: Certificate | null,
  logger: Logger,
  showOwnerLink: (link: string) => void,
): Promise<StartedNode> {
  const { cluster, clusterAddress } = options;
  if (cluster.length === 0 || clusterAddress === null)
    throw new StartFailure('--cluster and --cluster-address must be given together. Give both or neither.');
  const secretKey = requireSecretKey(options);
  // A program on the machine of one node may be answered by another, so that all nodes need the same token.
  const token = deriveKey(secretKey, 'local administrator of a cluster').export();
  const mode = serveMode(options, certificate, generateRsaKeyPair, new LocalAdmin(() => token));
  const app = await startClusterApp(
    { ...options, clusterAddress },
    {
      mode,
      logger,
      secretKey,
      onOwnerLink: (path) => showOwnerLink(`${mode.publicUrl}${path}`),
      // The changes that are lost when the process ends are not committed, so no client has received an acknowledgment
      // of them.
      onLost: (isStopping) => (isStopping ? process.exit(1) : restartProcess()),
      isRestart: hasRestarted(),
    },
  );
  return { app, mode, failed: app.failed };
}

function requireSecretKey({ keyFile, data }: ServeOptions): SecretKey {
  const path = keyFile ?? secretKeyPath(data);
  const key = findSecretKey({ environment: findSecretKeyText(), path, check: undefined });
  if (key !== undefined) return key;
  throw new StartFailure(
    `All nodes of a cluster need the same secret key, and there is no file ${path}. Create a key with "openssl rand -base64 32", and set HEARTH_SECRET_KEY or --key-file on each node.`,
  );
}
