/** What is to be seen of the rules of a database, each at an address of its own. */
export const RULES_TABS = ['edit', 'versions', 'denials', 'simulator', 'cases'] as const;
export type RulesTab = (typeof RULES_TABS)[number];
