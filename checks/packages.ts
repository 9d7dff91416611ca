/** The parts of a `package.json`, or of an entry of `package-lock.json`, that the checks read. */
export interface PackageEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type LockedPackages = Readonly<Record<string, PackageEntry>>;

/** Returns a problem for each entry with the address of a registry: other users may need another registry. */
export function checkNoRegistry(packages: LockedPackages): readonly string[] {
  return Object.entries(packages)
    .filter(([, { resolved }]) => resolved !== undefined && /^[a-z+]+:/.test(resolved))
    .map(([path, { resolved }]) => `${path}: resolved to ${resolved}`);
}

function isLocked(packages: LockedPackages, from: string, name: string): boolean {
  let folder = from;
  for (;;) {
    if (`${folder}${folder === '' ? '' : '/'}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
    folder = folder.includes('/node_modules/') ? folder.slice(0, folder.lastIndexOf('/node_modules/')) : '';
  }
}

/**
 * Returns the dependencies without an entry in the lock file, including those for other platforms only. `npm ci`
 * rejects a lock file that lacks entries. npm writes such a file if the registry lacks the packages of some platforms.
 */
export function checkComplete(packages: LockedPackages): readonly string[] {
  return Object.entries(packages).flatMap(
    ([path, { link, dependencies, devDependencies, optionalDependencies }]) =>
      link === true
        ? []
        : Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
            .filter((name) => !isLocked(packages, path, name))
            .map((name) => `${path === '' ? 'the root' : path}: ${name} is not in the lock file`),
  );
}

/** Returns the direct dependencies whose version could change without a change in this repository. */
export function checkExactVersions({ dependencies, devDependencies }: PackageEntry): readonly string[] {
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name}: "${version}" is not an exact version`);
}

/**
 * Returns the direct dependencies without a note. A note is a table row that begins with the name in
 * backticks.
 */
export function checkListed(manifest: PackageEntry, notes: string): readonly string[] {
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter((name) => !name.startsWith('@hearth/'))
    .filter((name) => !notes.includes(`\n| \`${name}\` |`))
    .map((name) => `${name} has no note`);
}

/**
 * Returns the manifests whose dependencies differ from those in the lock file. Keys are paths of
 * `package.json` files.
 */
export function checkInStep(
  manifests: Readonly<Record<string, PackageEntry>>,
  packages: LockedPackages,
): readonly string[] {
  const wanted = ({ dependencies = {}, devDependencies = {} }: PackageEntry) =>
    JSON.stringify([Object.entries(dependencies).sort(), Object.entries(devDependencies).sort()]);
  return Object.entries(manifests)
    .filter(
      ([path, manifest]) =>
        wanted(manifest) !== wanted(packages[path.replace(/\/?package\.json$/, '')] ?? {}),
    )
    .map(([path]) => `${path}: the lock file was generated for other dependencies`);
}
