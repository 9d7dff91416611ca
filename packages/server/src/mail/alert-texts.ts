import type { AlertKind } from '@hearth/core/api/alerts.ts';
import type { Language } from './templates/language.ts';

/** The notices that an alert was raised or has ended. */
export type AlertNoticeKind = 'alertRaised' | 'alertEnded';

/** The subject and the paragraphs of a mail to owners. */
export interface NoticeText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

/** `%PROJECT%` is the ID of the project, `%ALERT%` the name of a figure, `%DETAIL%` its value and the threshold. */
export const ALERT_TEXTS: Readonly<Record<Language, Readonly<Record<AlertNoticeKind, NoticeText>>>> = {
  en: {
    alertRaised: {
      subject: 'Alert of %PROJECT%: %ALERT%',
      paragraphs: [
        'In the project %PROJECT%, the figure “%ALERT%” has reached %DETAIL%. The threshold of the alert is in parentheses.',
        'The console shows the course of the figures under Activity.',
      ],
    },
    alertEnded: {
      subject: 'Alert of %PROJECT% has ended: %ALERT%',
      paragraphs: [
        'In the project %PROJECT%, the figure “%ALERT%” is at %DETAIL% again. The threshold of the alert is in parentheses.',
      ],
    },
  },
  es: {
    alertRaised: {
      subject: 'Alerta de %PROJECT%: %ALERT%',
      paragraphs: [
        'En el proyecto %PROJECT%, el valor «%ALERT%» ha llegado a %DETAIL%. El umbral de la alerta está entre paréntesis.',
        'La consola muestra la evolución de los valores en Actividad.',
      ],
    },
    alertEnded: {
      subject: 'La alerta de %PROJECT% ha terminado: %ALERT%',
      paragraphs: [
        'En el proyecto %PROJECT%, el valor «%ALERT%» está de nuevo en %DETAIL%. El umbral de la alerta está entre paréntesis.',
      ],
    },
  },
  fr: {
    alertRaised: {
      subject: 'Alerte de %PROJECT% : %ALERT%',
      paragraphs: [
        'Dans le projet %PROJECT%, la valeur « %ALERT% » a atteint %DETAIL%. Le seuil de l’alerte est entre parenthèses.',
        'La console montre l’évolution des valeurs sous Activité.',
      ],
    },
    alertEnded: {
      subject: 'L’alerte de %PROJECT% est terminée : %ALERT%',
      paragraphs: [
        'Dans le projet %PROJECT%, la valeur « %ALERT% » est revenue à %DETAIL%. Le seuil de l’alerte est entre parenthèses.',
      ],
    },
  },
  de: {
    alertRaised: {
      subject: 'Alarm von %PROJECT%: %ALERT%',
      paragraphs: [
        'Im Projekt %PROJECT% hat der Wert „%ALERT%“ %DETAIL% erreicht. In Klammern steht die Schwelle des Alarms.',
        'Die Konsole zeigt den Verlauf der Werte unter Aktivität.',
      ],
    },
    alertEnded: {
      subject: 'Alarm von %PROJECT% ist beendet: %ALERT%',
      paragraphs: [
        'Im Projekt %PROJECT% liegt der Wert „%ALERT%“ wieder bei %DETAIL%. In Klammern steht die Schwelle des Alarms.',
      ],
    },
  },
  pt: {
    alertRaised: {
      subject: 'Alerta de %PROJECT%: %ALERT%',
      paragraphs: [
        'No projeto %PROJECT%, o valor “%ALERT%” chegou a %DETAIL%. O limite do alerta está entre parênteses.',
        'O console mostra a evolução dos valores em Atividade.',
      ],
    },
    alertEnded: {
      subject: 'O alerta de %PROJECT% terminou: %ALERT%',
      paragraphs: [
        'No projeto %PROJECT%, o valor “%ALERT%” está de novo em %DETAIL%. O limite do alerta está entre parênteses.',
      ],
    },
  },
  zh: {
    alertRaised: {
      subject: '%PROJECT% 的告警：%ALERT%',
      paragraphs: [
        '项目 %PROJECT% 的“%ALERT%”已达到 %DETAIL%。括号中是告警的阈值。',
        '控制台的“活动”页面显示这些数值的变化。',
      ],
    },
    alertEnded: {
      subject: '%PROJECT% 的告警已结束：%ALERT%',
      paragraphs: ['项目 %PROJECT% 的“%ALERT%”已回到 %DETAIL%。括号中是告警的阈值。'],
    },
  },
  ja: {
    alertRaised: {
      subject: '%PROJECT% のアラート: %ALERT%',
      paragraphs: [
        'プロジェクト %PROJECT% の「%ALERT%」が %DETAIL% に達しました。かっこ内はアラートのしきい値です。',
        '値の推移はコンソールの「アクティビティ」に表示されます。',
      ],
    },
    alertEnded: {
      subject: '%PROJECT% のアラートが終了しました: %ALERT%',
      paragraphs: [
        'プロジェクト %PROJECT% の「%ALERT%」は %DETAIL% に戻りました。かっこ内はアラートのしきい値です。',
      ],
    },
  },
  ar: {
    alertRaised: {
      subject: 'تنبيه من %PROJECT%: %ALERT%',
      paragraphs: [
        'في المشروع %PROJECT%، بلغت القيمة «%ALERT%» %DETAIL%. حدّ التنبيه بين قوسين.',
        'تعرض وحدة التحكم تطوّر القيم ضمن «النشاط».',
      ],
    },
    alertEnded: {
      subject: 'انتهى تنبيه %PROJECT%: %ALERT%',
      paragraphs: ['في المشروع %PROJECT%، عادت القيمة «%ALERT%» إلى %DETAIL%. حدّ التنبيه بين قوسين.'],
    },
  },
};

/** The names of the figures of alerts. */
export const ALERT_NAMES: Readonly<Record<Language, Readonly<Record<AlertKind, string>>>> = {
  en: {
    denials: 'denials per minute',
    latency: 'latency (p99)',
    connections: 'connections',
    disk: 'disk space used',
    failedSignIns: 'rejected sign-ins per minute',
  },
  es: {
    denials: 'denegaciones por minuto',
    latency: 'latencia (p99)',
    connections: 'conexiones',
    disk: 'espacio de disco usado',
    failedSignIns: 'inicios de sesión rechazados por minuto',
  },
  fr: {
    denials: 'refus par minute',
    latency: 'latence (p99)',
    connections: 'connexions',
    disk: 'espace disque utilisé',
    failedSignIns: 'connexions refusées par minute',
  },
  de: {
    denials: 'Ablehnungen pro Minute',
    latency: 'Latenz (p99)',
    connections: 'Verbindungen',
    disk: 'belegter Speicherplatz',
    failedSignIns: 'abgelehnte Anmeldungen pro Minute',
  },
  pt: {
    denials: 'negações por minuto',
    latency: 'latência (p99)',
    connections: 'conexões',
    disk: 'espaço em disco usado',
    failedSignIns: 'logins rejeitados por minuto',
  },
  zh: {
    denials: '每分钟拒绝次数',
    latency: '延迟 (p99)',
    connections: '连接数',
    disk: '已用磁盘空间',
    failedSignIns: '每分钟被拒绝的登录次数',
  },
  ja: {
    denials: '1 分あたりの拒否数',
    latency: 'レイテンシ (p99)',
    connections: '接続数',
    disk: '使用済みディスク容量',
    failedSignIns: '1 分あたりの拒否されたログイン数',
  },
  ar: {
    denials: 'عمليات الرفض في الدقيقة',
    latency: 'زمن الاستجابة (p99)',
    connections: 'الاتصالات',
    disk: 'مساحة القرص المستخدمة',
    failedSignIns: 'عمليات تسجيل الدخول المرفوضة في الدقيقة',
  },
};
