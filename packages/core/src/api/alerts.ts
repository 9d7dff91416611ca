/** The figures for which a project may set a threshold. */
export const ALERT_KINDS = ['denials', 'latency', 'connections', 'disk', 'failedSignIns'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The greatest threshold of each figure. All thresholds are whole numbers from 1 on. */
export const MAX_THRESHOLDS: Readonly<Record<AlertKind, number>> = {
  /** Denials in a minute. */
  denials: 1_000_000,
  /** The 99th percentile of the latency of the last minute, in ms. */
  latency: 600_000,
  connections: 10_000_000,
  /** Used space of the disk, in percent. */
  disk: 100,
  /** Rejected sign-ins in a minute. */
  failedSignIns: 1_000_000,
};

export type AlertThresholds = Readonly<Partial<Record<AlertKind, number>>>;

/** The settings of the alerts of a project. */
export interface AlertSettings {
  readonly thresholds: AlertThresholds;
  /** Whether alerts are mailed to the owners of the project. */
  readonly mailsOwners: boolean;
  /** The address to which alerts are posted; `null` for none. */
  readonly webhook: string | null;
}

/** The state of an alert. */
export interface AlertState {
  readonly kind: AlertKind;
  readonly threshold: number;
  /** The current figure; `null` until it is measured. */
  readonly value: number | null;
  readonly isRaised: boolean;
  /** When the alert was raised or ended; `null` if it was never raised. */
  readonly sinceMs: number | null;
}

/** The response of `GET /api/projects/<project>/alerts`. */
export interface ProjectAlerts {
  readonly settings: AlertSettings;
  /** The alerts with a threshold. */
  readonly alerts: readonly AlertState[];
}
