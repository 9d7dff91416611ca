import { SCENARIOS } from './scenarios/table.ts';
import { testScenarios } from './scenarios.fixture.ts';

testScenarios(SCENARIOS.filter(({ isShort, weakness }) => isShort !== true && weakness === undefined));
