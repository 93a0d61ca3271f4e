#!/bin/sh
# corpus.sh CLONES LIBRARIES [PICA200] > page.md: builds the programs of corpus.txt by the command of docs/HOST.md, runs each for 300
# frames with the same keys and writes a page of what became of them. CLONES holds the repositories as OWNER+NAME, LIBRARIES those of
# libctru, citro3d and citro2d; PICA200 is the checkout to try, this one unless given. Part of pica200, MIT License.
here=$(cd "$(dirname "$0")" && pwd)
clones=$1 libraries=$2 pica=${3:-$here/../..}
[ -d "$clones" ] && [ -d "$libraries/libctru" ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
clones=$(cd "$clones" && pwd) libraries=$(cd "$libraries" && pwd) pica=$(cd "$pica" && pwd)
make=$(ls "$pica"/console/host/host.mk "$pica"/host/host.mk 2>/dev/null | head -n 1)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
printf '%s\n' '30 A' '36 -' '60 RIGHT' '90 -' '100 touch=160,80' '110 -' '120 A' '126 -' '150 circle=120,40' '180 -' '200 DOWN' '206 -' '220 A' > "$work/keys.txt"
frames=300
built=0 ran=0 drew=0 all=0

# Says the first error of a log, or its last line.
why() { { grep -m 1 -hE '(^|[^-"])\berror: |^LIBS|These names|\*\*\*|cannot' "$@" || tail -n 1 "$1"; } | sed "s|$clones/||g; s/|/\\\\|/g" | cut -c 1-160; }

# Says how many milliseconds of processor time the commands so far took, of what times said.
spent() { awk 'NR == 2 { gsub(/[ms]/, " "); print int(1000 * (60 * ($1 + $3) + $2 + $4)) }' "$work/times"; }

# Says which screens show more than one colour: gzip makes those of one colour, which are not compressed, less than a 600th.
shown() {
    for s in top bottom; do
        f=$1/frame$((frames - 1))-$s.png
        [ -f "$f" ] && [ "$(wc -c < "$f")" -lt $((600 * $(gzip -c "$f" | wc -c))) ] && printf '%s ' $s
    done
}

echo "| program | builds | runs | picture | frames a second of processor time | what stops it |"
echo "|---|---|---|---|---|---|"
while read -r name commit folder variables; do
    case $name in ''|'#'*) continue ;; esac
    all=$((all + 1)) clone=$clones/$(echo "$name" | tr / +) builds=no runs=no picture= speed= stop=
    project=$clone/$folder
    if [ ! -d "$clone" ]; then stop="not among the clones"
    elif [ "$(git -C "$clone" rev-parse HEAD)" != "$commit" ] && ! git -C "$clone" checkout -q -f "$commit" 2> "$work/build"; then stop=$(why "$work/build")
    else
        out=build-host
        case $variables in *OUT=*) out=${variables##*OUT=} && out=${out%% *} ;; esac
        out=$project/$out && rm -rf "$out"
        if (cd "$project" && eval timeout 1500 make -j1 -f "$make" CTRULIB="$libraries/libctru/libctru" CITRO3D="$libraries/citro3d" \
            CITRO2D="$libraries/citro2d" $variables) > "$work/out" 2> "$work/build"; then
            builds=yes built=$((built + 1))
            program=$(find "$out" -maxdepth 1 -type f -perm -u+x ! -name '*.*' | head -n 1)
            rm -rf "$work/png" && times > "$work/times" && begun=$(spent)
            (cd "$project" && timeout 120 "$program" --frames $frames --keys "$work/keys.txt" --png "$work/png") > "$work/out" 2> "$work/run"
            status=$?
            times > "$work/times"
            if [ -f "$work/png/frame$((frames - 1))-top.png" ]; then
                speed=$((frames * 1000 / ($(spent) - begun + 1))) runs=yes ran=$((ran + 1))
                picture=$(shown "$work/png")
                [ -z "$picture" ] || drew=$((drew + 1))
                [ $status = 0 ] || stop="after the last frame: "
            fi
            if [ $status != 0 ]; then
                stop=$stop$(tail -n 1 "$work/run" | sed 's/|/\\|/g' | cut -c 1-160)
                [ -n "$stop" ] || stop="it ran for two minutes"
            fi
        else stop=$(why "$work/build" "$work/out")
        fi
    fi
    printf '%s\n' "| $name${folder:+ $folder} | $builds | $runs | $picture| $speed | $stop |"
done < "$here/corpus.txt"
echo
echo "$all programs: $built build, $ran run for $frames frames, $drew show a picture."
