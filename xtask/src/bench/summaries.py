"""Compares summaries by ROUGE: the built-in engine's against those of sumy's algorithms, on the same sentences and of the same length.

Arguments: the engine's program (crates/summaries/examples), the folder with the demo's books.
"""

import json
import subprocess
import sys
import tomllib
from collections import defaultdict
from html.parser import HTMLParser
from itertools import count
from pathlib import Path

from rouge_score.rouge_scorer import RougeScorer
from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.stemmers import Stemmer
from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.lsa import LsaSummarizer
from sumy.summarizers.luhn import LuhnSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer
from sumy.utils import get_stop_words

import re

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
METRICS = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
# Words of the summaries that are compared.
LENGTHS = [100, 200]
# Sizes of the texts whose time and memory are measured, in bytes.
SIZES = [100_000, 20_000_000]


class Words:
    """What sumy asks of a tokenizer. Its own needs data that is not on the package registry."""

    language = "english"

    def to_words(self, text):
        return tuple(WORD.findall(text))

    def to_sentences(self, text):
        return (text,)


class Parts(HTMLParser):
    """The headings, and the paragraphs, of the HTML in which the demo's books are written."""

    HEADINGS = {"h1", "h2", "h3", "h4"}

    def __init__(self, html):
        super().__init__()
        self.titles, self.paragraphs, self.text = [], [], ""
        self.feed(html)
        self.close()
        self.end(self.paragraphs)

    def end(self, parts):
        if line := " ".join(self.text.split()):
            parts.append(line)
        self.text = ""

    def handle_starttag(self, tag, _):
        if tag in self.HEADINGS | {"p", "li"}:
            self.end(self.paragraphs)

    def handle_endtag(self, tag):
        if tag in self.HEADINGS:
            self.end(self.titles)
        elif tag in {"p", "li"}:
            self.end(self.paragraphs)

    def handle_data(self, data):
        self.text += data


def books(folder):
    """What a summary of each book should say, and its text. A book that is announced has no body yet."""
    for body in sorted(Path(folder).glob("*/body.html")):
        parts = Parts(body.read_text("utf-8"))
        description = tomllib.loads(body.with_name("book.toml").read_text("utf-8"))["description"]
        yield f"{description} {'. '.join(parts.titles)}.", "\n\n".join(parts.paragraphs)


def summarise(engine, text):
    """What the engine answers: the sentences, and the summaries of each length."""
    given = " ".join(map(str, LENGTHS)) + "\n" + text
    return json.loads(subprocess.run([engine], input=given.encode(), stdout=subprocess.PIPE, check=True).stdout)


def text_of(texts, size):
    """So many bytes of the books, over and over; each time with a number, so that no two passages are alike."""
    parts, length = [], 0
    for edition in count(1):
        for paragraph in (paragraph for text in texts for paragraph in text.split("\n\n")):
            part = paragraph if edition == 1 else paragraph.replace(".", f" in edition {edition}.", 1)
            parts.append(part)
            length += len(part.encode()) + 2
            if length >= size:
                return "\n\n".join(parts)


def cut(text, words):
    """The first words of a text, so that all summaries are equally long."""
    return " ".join(text.split()[:words])


def of_length(summarize, sentences, words):
    """The fewest best sentences that have so many words, in the order of the text."""
    for number in range(1, len(sentences) + 1):
        text = " ".join(str(sentence) for sentence in summarize(number))
        if len(text.split()) >= words:
            return cut(text, words)
    return " ".join(sentences)


def main(engine, folder):
    library = list(books(folder))
    print(f"{len(library)} books; those at even places of the alphabetical list are held out.")
    stemmer = Stemmer("english")
    scorer = RougeScorer(list(METRICS), use_stemmer=True)
    scores = defaultdict(lambda: defaultdict(list))
    for place, (reference, text) in enumerate(library):
        answer = summarise(engine, text)
        sentences = answer["sentences"]
        document = ObjectDocumentModel([Paragraph([Sentence(sentence, Words()) for sentence in sentences])])
        algorithms = {"first sentences": lambda number: sentences[:number]}
        for name, kind in [
            ("LexRank", LexRankSummarizer),
            ("TextRank", TextRankSummarizer),
            ("LSA", LsaSummarizer),
            ("Luhn", LuhnSummarizer),
        ]:
            summarizer = kind(stemmer)
            summarizer.stop_words = get_stop_words("english")
            algorithms[name] = lambda number, summarizer=summarizer: summarizer(document, number)
        built_in = {summary["words"]: summary["text"] for summary in answer["summaries"]}
        for words in LENGTHS:
            texts = {"built-in": cut(built_in[words], words)}
            texts |= {name: of_length(algorithm, sentences, words) for name, algorithm in algorithms.items()}
            for name, summary in texts.items():
                figures = scorer.score(reference, summary)
                row = [100 * figures[metric].fmeasure for metric in METRICS]
                scores["held out" if place % 2 else "tuned on", words][name].append(row)
    for (half, words), engines in sorted(scores.items(), key=lambda item: (item[0][0] == "held out", item[0][1])):
        print(f"\n{half}, {words} words      {'  '.join(METRICS.values())}   (F-measure, percent)")
        for name, rows in engines.items():
            means = [sum(column) / len(column) for column in zip(*rows)]
            print(f"  {name:<20} " + " ".join(f"{mean:8.2f}" for mean in means))
    print()
    for size in SIZES:
        answer = summarise(engine, text_of([text for _, text in library], size))
        peak = "?" if answer["peak"] is None else answer["peak"] // 1_000_000
        print(f"{size // 1000:>8} kB of text: {answer['seconds']:.3f} s, {peak} MB at most")


main(*sys.argv[1:])
