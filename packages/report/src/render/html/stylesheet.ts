/**
 * The one style sheet of every document, and the content security policy that allows nothing else.
 *
 * A page is read from the top down in one column. From 64 rem on, the facts of a finding are in a margin beside its
 * text. There are five text sizes, in rem of 14 px, so that a reader's own text size applies.
 */
import { sha256Base64 } from '../../identity/sha256.ts';
import { declarations } from './palette.ts';

const SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif';
const MONO = 'ui-monospace,"SF Mono","Cascadia Code",Menlo,Consolas,"DejaVu Sans Mono",monospace';

const base = `
:root{color-scheme:light dark;--small:.857rem;--large:1.143rem;--display:1.429rem;--huge:2rem;${declarations(0)}}
@media screen and (prefers-color-scheme:dark){:root{${declarations(1)}}}
*,::before,::after{box-sizing:border-box}
html{font-size:87.5%;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;padding:3rem 1.25rem 4rem;max-width:62rem;background:var(--page);color:var(--text);font:1rem/1.5 ${SANS};overflow-wrap:break-word}
h1,h2,h3,h4,h5,p,dl,dd,ol,ul,figure,pre,table{margin:0;padding:0}
h1,h2,h3,h4,h5{font-weight:600;line-height:1.3;text-wrap:balance}
b,th{font-weight:600}
h1{font-size:var(--huge);letter-spacing:-.015em}
h2{font-size:var(--display);letter-spacing:-.01em}
h3{font-size:var(--large)}
h4,h5{font-size:1rem}
a{color:var(--link);text-decoration-line:underline;text-decoration-thickness:1px;text-underline-offset:.2em;text-decoration-color:color-mix(in srgb,currentColor 35%,transparent)}
a:hover{text-decoration-color:currentColor}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}
code,pre{font-family:${MONO};font-size:.929em;font-variant-ligatures:none}
code{overflow-wrap:anywhere;unicode-bidi:isolate}
p,li,dd,th,td,h1,h3{unicode-bidi:isolate}
.quiet{color:var(--quiet);font-weight:400}
.withoutFocus{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.sign{width:.72em;height:.72em;margin-right:.5em;fill:var(--quiet);flex:none}
.ring{fill:none;stroke:var(--quiet);stroke-width:1.5}
.critical{fill:var(--critical)}
.high{fill:var(--high)}
.medium{fill:var(--medium)}
.low{fill:var(--low)}
.info{fill:var(--info)}
.info .ring{stroke:var(--info);stroke-width:2}
.badge{display:inline-flex;align-items:baseline;white-space:nowrap}
`;

const cover = `
.kind{color:var(--quiet);margin-bottom:.25rem}
.verdict{margin-top:1rem;max-width:44rem;font-size:var(--display);line-height:1.4;text-wrap:pretty}
.standing{margin-top:.25rem;color:var(--quiet)}
.severities{margin-top:1.5rem}
.bar{display:block;width:100%;height:.5rem;border-radius:3px;overflow:hidden}
.counts{display:flex;flex-wrap:wrap;gap:.25rem 1.75rem;margin-top:.75rem;list-style:none}
.counts b,.noted,td,.facts{font-variant-numeric:tabular-nums}
.noted{margin-top:.75rem;color:var(--quiet)}
.notice{margin-top:1.5rem;padding-left:1rem;border-left:2px solid var(--hairline);max-width:44rem}
.gaps{border-left-color:currentColor}.gaps p{font-weight:600}.gaps ul{padding-left:1.25rem}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:1rem 2rem;margin-top:2rem;padding-top:1.5rem;border-top:1px solid var(--hairline)}
.facts dt,.margin dt{color:var(--quiet);font-size:var(--small);line-height:1.5}
.facts dd{overflow-wrap:anywhere}
.sender{margin-bottom:2.5rem;padding:1rem 1.25rem;border-radius:6px;background:var(--calm);max-width:44rem}
.sender p+p{margin-top:.5rem}
.message{white-space:pre-line;overflow-wrap:anywhere}
.confidential{margin-top:2rem;color:var(--quiet);font-size:var(--small)}
.worst{padding-left:1.4rem}
.worst li+li{margin-top:.35rem}
ul.worst{padding-left:0;list-style:none}
.worst .badge{min-width:6.5rem}
.figures{width:auto;min-width:20rem}
.figures td{text-align:right}
.figures thead th+th{text-align:right}
.legend{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:.75rem 2rem}
.legend dt{font-weight:600}
[aria-labelledby=summary] h3{margin:1.5rem 0 .5rem}
.group th{padding-top:1.25rem;font-weight:600}
.group .quiet{display:inline}
`;

const sections = `
main>nav,section{margin-top:3.5rem}
h2{margin-bottom:1rem}
table{width:100%;border-collapse:collapse;line-height:1.45}
th,td{padding:.5rem 1rem .5rem 0;border-top:1px solid var(--hairline);text-align:start;vertical-align:top}
th:last-child,td:last-child{padding-right:0}
thead th{border:0;padding-block:0 .25rem;color:var(--quiet);font-size:var(--small);font-weight:400}
tbody th{font-weight:400;overflow-wrap:anywhere}
th .quiet,td .quiet{display:block;font-size:var(--small)}
.contents{font-size:1rem}
.contents table{table-layout:fixed}
.contents thead th:first-child{width:7rem}
.contents thead th:last-child{width:9.5rem}
.contents a{color:inherit;text-decoration-color:var(--hairline)}
.areas td{width:11rem}
.texts{max-width:52rem;padding-left:1.1rem;overflow-wrap:anywhere}
.texts li+li{margin-top:.35rem}
.texts:not(:first-of-type),table+.texts{margin-top:1.5rem}
section>p+.texts{margin-top:.75rem}
footer{margin-top:4rem;padding-top:1rem;border-top:1px solid var(--hairline);color:var(--quiet);font-size:var(--small);overflow-wrap:anywhere}
`;

const findings = `
.finding{padding:2rem 0;border-top:1px solid var(--hairline);scroll-margin-top:0}
.finding:last-child{padding-bottom:0}
.finding h3{text-wrap:pretty}
.location{margin-top:.25rem;color:var(--quiet)}
.margin{display:flex;flex-wrap:wrap;gap:.35rem 1.5rem;margin-top:.75rem;overflow-wrap:anywhere}
.margin a{color:inherit;text-decoration-color:var(--hairline)}
.margin div{display:flex;gap:.5em;align-items:baseline}
.margin dd{min-width:0}
.digest{font-size:var(--small);word-break:break-all}
.body{margin-top:1rem;min-width:0}
.body p,.body li{white-space:pre-line;text-wrap:pretty}
.body p+p,.body p+ul,.body p+ol,.body ul+p,.body ol+p,.body pre+p,.body li>ul,.body li>ol{margin-top:.5rem}
.body h4{margin:1.5rem 0 .35rem}
.body h5{margin:.9rem 0 .25rem}
.wide{margin-top:.6rem;overflow-x:auto}
.body ul,.body ol{padding-left:1.4rem}
.body li+li{margin-top:.3rem}
.body pre{margin-top:.6rem;max-height:36rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;padding:.75rem 1rem;border-radius:6px;background:var(--calm);line-height:1.55;tab-size:4}
.body .source{color:var(--quiet);font-size:var(--small);white-space:normal}
.body .source+p{margin-top:.15rem}
.source b{color:var(--text)}
.body .evidence{padding-left:0;list-style:none}
.body .evidence>li{white-space:normal}
.body .evidence>li+li{margin-top:1.25rem}
.references a,.references li{overflow-wrap:anywhere}
.history p{margin-top:.15rem}
.body .identity{margin-top:1.5rem;color:var(--quiet);font-size:var(--small)}
p code,li>code,dd code{font-size:.929em}
pre .line{display:block;padding-left:3.75em;text-indent:-3.75em}
pre .line::before{content:attr(data-line);display:inline-block;min-width:2.5em;margin-right:1.25em;color:var(--quiet);text-align:right;user-select:none}
mark{margin:0 -1rem;padding:0 1rem 0 calc(1rem - 2px);border-left:2px solid var(--high);background:var(--marked);color:inherit}
.k{color:var(--keyword)}
.s{color:var(--string)}
.c{color:var(--comment)}
.n{color:var(--number)}
`;

const screens = `
@media screen{.long .finding{content-visibility:auto;contain-intrinsic-size:auto 50rem}}
@media screen and (max-width:36rem){body{padding-top:2rem}.facts{gap:.4rem}.facts div{display:grid;grid-template-columns:7.5rem minmax(0,1fr)}.facts dt{line-height:inherit;padding-top:.1em}.contents thead th:first-child{width:5.75rem}.contents thead th:last-child{width:6.25rem}.areas td{width:8.5rem}th,td{padding-right:.75rem}}
@media screen and (min-width:64rem){
.finding{display:grid;grid-template:auto 1fr/11rem minmax(0,1fr);column-gap:2.5rem}
.finding header{grid-area:1/2}
.body{grid-area:2/2}
.margin{grid-area:1/1/3/2;align-self:start;flex-direction:column;align-items:start;flex-wrap:nowrap;gap:.6rem;margin-top:.15rem;font-size:var(--small)}
.margin div{display:block}
.margin .plain{font-size:1rem}
.margin .plain+.plain{margin-top:-.35rem}
}
@media screen and (min-width:160rem){html{font-size:125%}}
`;

const print = `
@page{margin:18mm 16mm 20mm;@bottom-left{content:"Confidential";font:8pt ${SANS}}@bottom-right{content:counter(page) " of " counter(pages);font:8pt ${SANS}}}
@media print{
:root{color-scheme:light}
html{font-size:9.5pt}
body{max-width:none;padding:0}
h2,h3,h4,h5,thead,.source,.location,.margin,.finding header{break-after:avoid}
.finding header,.margin,tr,li>p,.cover figure{break-inside:avoid}
p,li{orphans:3;widows:3}
.verdict{margin-top:2rem}
section[aria-labelledby=findings],.contents{break-before:page;margin-top:0}
.sender{border:1px solid var(--hairline)}
.body pre{max-height:none;overflow:visible;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--hairline);box-decoration-break:clone;-webkit-box-decoration-break:clone}
mark,.body pre{print-color-adjust:exact;-webkit-print-color-adjust:exact}
a{color:inherit;text-decoration:none}
.references a{color:var(--link)}
}
`;

export const stylesheet = [base, cover, sections, findings, screens, print].join('');

const digest = sha256Base64(stylesheet);

/** Nothing is loaded, run, sent or framed. */
export const contentPolicy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
