/**
 * Features of Chromium that tests have no use for. The last two draw what is proposed below the address bar, as two
 * pages of their own for each window: they are most of what a window costs. This takes the place of the list that
 * Playwright gives, so the others are those of it that are about tests.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/**
 * How Playwright starts Chromium for tests. Its own browser is not always to be had, so the system's one is used;
 * CHROMIUM_PATH names another.
 */
export const CHROMIUM_LAUNCH = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
  ],
};
