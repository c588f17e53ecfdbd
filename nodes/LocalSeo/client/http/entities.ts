/**
 * What HTML calls characters: printable ASCII, the signs that texts have, and the letters whose name is not
 * that of another letter with its mark; some have two. A name, then its character.
 */
const NAMES = `
	excl ! quot " QUOT " num # dollar $ percnt % amp & AMP & apos ' lpar ( rpar ) ast * midast * plus +
	comma , period . sol / colon : semi ; lt < LT < equals = gt > GT > quest ? commat @ lsqb [ lbrack [
	bsol \\ rsqb ] rbrack ] Hat ^ lowbar _ UnderBar _ grave \` DiacriticalGrave \` lcub { lbrace { verbar |
	vert | VerticalLine | rcub } rbrace }
	iexcl ¡ cent ¢ pound £ curren ¤ yen ¥ euro € brvbar ¦ sect § copy © reg ® circledR ® trade ™ laquo « raquo »
	not ¬ deg ° plusmn ± times × divide ÷ minus − infin ∞ para ¶ middot · iquest ¿ ordf ª ordm º micro µ
	sup1 ¹ sup2 ² sup3 ³ frac14 ¼ frac12 ½ frac34 ¾ uml ¨ macr ¯ acute ´ cedil ¸ circ ˆ tilde ˜
	ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ lsaquo ‹ rsaquo › prime ′ Prime ″
	dagger † Dagger ‡ bull • hellip … permil ‰ larr ← uarr ↑ rarr → darr ↓ harr ↔
	star ☆ bigstar ★ phone ☎ spades ♠ clubs ♣ hearts ♥ diams ♦
	AElig Æ aelig æ OElig Œ oelig œ IJlig Ĳ ijlig ĳ szlig ß Oslash Ø oslash ø angst Å
	Dstrok Đ dstrok đ Hstrok Ħ hstrok ħ Lstrok Ł lstrok ł Tstrok Ŧ tstrok ŧ Lmidot Ŀ lmidot ŀ
	ETH Ð eth ð THORN Þ thorn þ ENG Ŋ eng ŋ imath ı inodot ı filig ﬁ fllig ﬂ fflig ﬀ ffilig ﬃ ffllig ﬄ kgreen ĸ napos ŉ fnof ƒ
	Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ
	Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω ohm Ω
	alpha α beta β gamma γ delta δ epsilon ε epsi ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ
	omicron ο pi π rho ρ sigmaf ς sigma σ tau τ upsilon υ upsi υ phi φ chi χ psi ψ omega ω
`;

/** Those that can't be seen. */
const BLANKS: Record<string, string> = {
	nbsp: '\u00a0',
	shy: '\u00ad',
	ensp: '\u2002',
	emsp: '\u2003',
	thinsp: '\u2009',
	zwnj: '\u200c',
	zwj: '\u200d',
	lrm: '\u200e',
	rlm: '\u200f',
};

/** `uuml` is u with its mark. */
const MARKS: Record<string, string> = {
	grave: '\u0300',
	acute: '\u0301',
	circ: '\u0302',
	tilde: '\u0303',
	macr: '\u0304',
	breve: '\u0306',
	dot: '\u0307',
	uml: '\u0308',
	ring: '\u030a',
	dblac: '\u030b',
	caron: '\u030c',
	cedil: '\u0327',
	ogon: '\u0328',
};

const words = NAMES.trim().split(/\s+/);
const CHARACTERS = new Map(Object.entries(BLANKS));
for (let at = 0; at < words.length; at += 2) CHARACTERS.set(words[at], words[at + 1]);

/** The character with a name of HTML (`amp`, `uuml`; without `&` and `;`); undefined if there is none. */
export function characterNamed(name: string): string | undefined {
	const [letter, mark] = [name.slice(0, 1), name.slice(1)];
	const isMarked = Object.hasOwn(MARKS, mark);
	return CHARACTERS.get(name) ?? (isMarked ? (letter + MARKS[mark]).normalize('NFC') : undefined);
}
