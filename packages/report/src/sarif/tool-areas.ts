/**
 * The general areas of a report that a tool scans. They follow from the tool's name, or else from its results. A tool
 * whose name and results reveal no area counts as a scanner of code.
 */
import type { Arrival } from '../intake/deduplication.ts';

/** Ids of the areas that every scan reports on. */
export const generalAreas = ['secrets', 'static_analysis', 'dependencies'] as const;
export type GeneralArea = (typeof generalAreas)[number];

export interface ToolAreas {
  readonly areas: readonly GeneralArea[];
  /** The areas that the tool scans completely, not only for one language or kind of file. */
  readonly whole: readonly GeneralArea[];
}

interface Kind {
  readonly area: GeneralArea;
  readonly isGeneral: boolean;
  /** Set for a tool with several modes, whose results reveal which mode ran. */
  readonly isByResults?: true;
  /** Prefixes of names, in lower-case letters and digits, separated by spaces. */
  readonly tools: string;
}

const kinds: readonly Kind[] = [
  {
    area: 'secrets',
    isGeneral: true,
    tools: 'gitleaks trufflehog detectsecrets ggshield gitguardian whispers kingfisher noseyparker talisman',
  },
  {
    area: 'dependencies',
    isGeneral: true,
    tools:
      'osvscanner grype snykopensource snykcontainer dependencycheck owaspdependencycheck blackduck mend whitesource ' +
      'dockerscout clair jfrogxray xray',
  },
  {
    area: 'dependencies',
    isGeneral: false,
    tools:
      'govulncheck npmaudit pipaudit cargoaudit cargodeny bundleraudit retire safety nancy auditjs composeraudit',
  },
  { area: 'dependencies', isGeneral: true, isByResults: true, tools: 'trivy aqua wiz snyk' },
  // Infrastructure is written as code.
  {
    area: 'static_analysis',
    isGeneral: false,
    tools:
      'checkov kics tfsec terrascan hadolint kubelinter kubesec kubescape polaris tflint cfnlint cfnnag snykiac ' +
      'templateanalyzer dockle zizmor actionlint poutine regula',
  },
  {
    area: 'static_analysis',
    isGeneral: false,
    tools:
      'eslint oxlint biome bandit flawfinder gosec golangci staticcheck brakeman rubocop spotbugs findsecbugs ' +
      'findsecuritybugs pmd njsscan nodejsscan mobsfscan cppcheck clang psalm phpstan phan phpcs ruff pylint dlint ' +
      'shellcheck clippy slither infer detekt swiftlint sobelow credo securitycodescan roslyn prefast',
  },
  {
    area: 'static_analysis',
    isGeneral: true,
    tools:
      'codeql semgrep opengrep snykcode sonar fortify checkmarx coverity veracode appscan hclappscan klocwork horusec ' +
      'bearer devskim mobsf qodana',
  },
];

/** The longest beginning wins: `snykcode` before `snyk`. */
const known = kinds
  .flatMap(({ tools, ...kind }) => tools.split(' ').map((name) => ({ name, ...kind })))
  .toSorted((one, other) => other.name.length - one.name.length);

/** @param findings the findings of the tool */
export function areasOfTool(
  tool: string,
  findings: readonly Pick<Arrival, 'category' | 'evidence'>[],
): ToolAreas {
  const plain = tool.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const kind = known.find(({ name }) => plain.startsWith(name));
  const seen = new Set(kind === undefined || kind.isByResults ? findings.map(areaOfFinding) : []);
  const areas =
    seen.size === 0 ? [kind?.area ?? 'static_analysis'] : generalAreas.filter((area) => seen.has(area));
  return { areas, whole: areas.filter((area) => kind?.isGeneral === true && area === kind.area) };
}

function areaOfFinding({ category, evidence }: Pick<Arrival, 'category' | 'evidence'>): GeneralArea {
  if (evidence.some(({ kind }) => kind === 'dependency')) return 'dependencies';
  return category === 'exposed_secret' ? 'secrets' : 'static_analysis';
}
