# Where the machine is along a motion, how its drives share the load, motions given as tables.
. "$SOURCE/tests/cli/lib.bash"

# The speed of a column named $2 in the table $1 is the slope of its position: compares the mean of the
# speeds at both ends of every row with the difference quotient; prints the greatest difference as a
# share of the way of the drive (of second order in the step: the grid of the motion).
slope() {
    awk -F, -v drive="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) { if (index($i, drive ".position")) q = i
                                              if (index($i, drive ".speed")) v = i }
                  columns = NF; next }
        NF != columns { print "ragged"; exit }
        NR > 2 { d = ($q - q0) - ($v + v0) / 2 * ($2 - t0); if (d < 0) d = -d
                 if (d > worst) worst = d; m = $v < 0 ? -$v : $v; span += m * ($2 - t0) }
        { q0 = $q; v0 = $v; t0 = $2 }
        END { printf "%.6f\n", worst / span }' "$1"
}

# below A B: number A is there and less than B
below() {
    awk "BEGIN { exit !(\"$1\" != \"\" && $1 < $2) }" || fail "$1 is not below $2"
}

# The arm's tip, worked out from its pose, is on the path; drives move as their speeds say.
arm="$SOURCE/cases/two_link_arm/case.yaml"
expect 0 traverse "$arm" -o arm --no-pictures
says arm/poses.csv '^trajectory,t \[s\],p,upper\.x \[m\],upper\.y \[m\],upper\.angle \[rad\],fore\.x'
[ "$(wc -l <arm/poses.csv)" = "$(wc -l <arm/traverse.csv)" ] || fail "rows of poses.csv"
below "$(slope arm/poses.csv m1)" 2e-3
below "$(slope arm/poses.csv m2)" 2e-3
tip=$(awk -F, 'NR > 1 { x = $7 + cos($9) - 1.5 * $3; y = $8 + sin($9) - 1.5 * (1 - $3)
                        d = sqrt(x * x + y * y); if (d > most) most = d }
               END { printf "%.3g\n", most }' arm/poses.csv)
below "$tip" 1e-9

# In space: six numbers for every body, whose angles do not jump; legs move as their speeds say.
ups="$SOURCE/cases/ups6/case.yaml"
expect 0 traverse "$ups" -o ups --trajectory tilt --no-pictures
below "$(slope ups/poses.csv "$(head -1 ups/poses.csv | tr , '\n' | sed -n '/position/ {s/\..*//p; q}')")" 2e-3
jump=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) angle[i] = $i ~ /\.[abc] \[rad\]/; next }
                { for (i in angle) if (angle[i]) {
                      d = $i - last[i]; if (NR > 2 && (d > most || -d > most)) most = d < 0 ? -d : d
                      last[i] = $i } }
                END { printf "%.3g\n", most }' ups/poses.csv)
below "$jump" 0.3

# Own coefficients have no poses.
printf 'p,drive,A,B,C,D,min,max\n0,m,0,0,0,1,-1,1\n1,m,0,0,0,1,-1,1\n' >one.csv
expect 0 traverse --coefficients one.csv -o one --no-pictures
[ ! -e one/poses.csv ] || fail "poses.csv without a machine"

# How forces change is told; they can be evened out.
star="$SOURCE/cases/four_slider_star/case.yaml"
expect 0 traverse "$star" -o star --trajectory circle --no-pictures
says out 'greatest change of a drive force between neighbouring points: m[1-4] by [0-9.]+ N \('
says out 'jump of a drive force: m[1-4] by .* the acceleration jumps'
says star/traverse.json '"continuity":\{"m1":\{"half_range":900'
says star/traverse.json '"smoothing":null'
expect 0 traverse "$star" -o star --trajectory circle --no-pictures --smooth 0.05
says out 'evened out over 0\.05 s: 0\.[0-9]+ of the sum'
says star/traverse.json '"smoothing":\{"time":0\.05.*,"done":true'
expect 2 traverse "$star" --smooth 0
says err 'smooth wants a number above zero'
finish
